// The sizes of the panes, which can be dragged and folded and are remembered.

import { byId } from './dom.js';

const KEPT = 'terrane-panes';

export function panes() {
  const root = document.documentElement;
  const kept = read();
  const keep = (change) => { Object.assign(kept, change); localStorage.setItem(KEPT, JSON.stringify(kept)); };
  const set = (id, name, length) => { root.style.setProperty(name, `${length}px`); byId(id).setAttribute('aria-valuenow', String(Math.round(length))); };
  const tall = (height) => set('grip', '--graph', Math.min(innerHeight - 220, Math.max(90, height)));
  const wide = (width) => set('side-grip', '--side', Math.min(innerWidth - 360, Math.max(240, width)));
  if (kept.graph) tall(kept.graph);
  if (kept.side) wide(kept.side);
  drag('grip', (event) => { const height = byId('graph').getBoundingClientRect().bottom - event.clientY; tall(height); keep({ graph: height }); }, { ArrowUp: () => step(24), ArrowDown: () => step(-24) });
  drag('side-grip', (event) => { const width = innerWidth - event.clientX; wide(width); keep({ side: width }); }, { ArrowLeft: () => stepSide(24), ArrowRight: () => stepSide(-24) });
  const step = (by) => { const height = byId('graph').parentElement.clientHeight + by; tall(height); keep({ graph: height }); };
  const stepSide = (by) => { const width = byId('side').clientWidth + by; wide(width); keep({ side: width }); };
  fold('graph-fold', 'folded-graph', 'graph', kept.foldedGraph, (folded) => keep({ foldedGraph: folded }));
  fold('side-fold', 'folded-side', 'parameters', kept.foldedSide, (folded) => keep({ foldedSide: folded }));
  byId('full').addEventListener('click', () => {
    const full = document.body.classList.toggle('full');
    byId('full').setAttribute('aria-pressed', String(full));
  });
}

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    // Nothing was kept, or the browser keeps nothing.
    return {};
  }
}

// Calls `move` while a bar is dragged, and a function per key that is pressed on it.
function drag(id, move, keys) {
  const bar = byId(id);
  bar.addEventListener('pointerdown', (event) => bar.setPointerCapture(event.pointerId));
  bar.addEventListener('pointermove', (event) => { if (bar.hasPointerCapture(event.pointerId)) move(event); });
  bar.addEventListener('keydown', (event) => { if (keys[event.key]) { event.preventDefault(); keys[event.key](); } });
}

// A button that folds a pane.
function fold(id, name, what, folded, keep) {
  const set = (now) => {
    document.body.classList.toggle(name, now);
    byId(id).setAttribute('aria-expanded', String(!now));
    byId(id).textContent = `${now ? 'Show' : 'Hide'} ${what}`;
  };
  set(Boolean(folded));
  byId(id).addEventListener('click', () => { const now = !document.body.classList.contains(name); set(now); keep(now); });
}
