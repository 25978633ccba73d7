// Lists that are drawn: curves through points, and gradients of colours. The items can also be typed below.

import { h, svg } from '../dom.js';
import { isColour, toHex } from './colour.js';

const WIDTH = 280;
const HEIGHT = 130;
const EDGE = 10;

const isNumber = (spec) => spec.shape === 'number';
const isPair = (spec, second) => spec.shape === 'list' && spec.item.shape === 'tuple' && spec.item.items.length === 2 && isNumber(spec.item.items[0]) && second(spec.item.items[1]);

// Whether a list is a curve: pairs of numbers that are no positions on the map.
export const isCurve = (spec) => !spec.place && isPair(spec, isNumber);
// Whether a list is a gradient: pairs of a number and a colour.
export const isGradient = (spec) => isPair(spec, isColour);

// The drawing of a list. `change` is called with a new list; `set` shows another one. A curve is drawn smooth if `smooth` says so.
export function drawn(spec, value, label, change, smooth) {
  const curve = isCurve(spec);
  const area = svg('svg', { viewBox: `0 0 ${WIDTH} ${curve ? HEIGHT : 44}`, class: curve ? 'drawing curve-drawing' : 'drawing', role: 'img', 'aria-label': `${label}, drawing. Drag a point, double-click to add one, drag it out to remove it` });
  let now = value;
  let scale = null;
  let held = null;
  const paint = () => {
    if (held === null) scale = frame(now, curve);
    const { x, y } = scale;
    const points = now.map((item, index) => {
      const at = curve ? [x.to(item[0]), y.to(item[1])] : [x.to(item[0]), 30];
      const mark = svg('circle', { cx: at[0], cy: at[1], r: index === held ? 7 : 5, class: 'point' });
      if (!curve) mark.style.fill = toHex(item[1]);
      mark.dataset.index = index;
      return mark;
    });
    const order = [...now].sort((a, b) => a[0] - b[0]);
    const under = curve
      ? [svg('path', { d: course(order.map((item) => [x.to(item[0]), y.to(item[1])]), smooth()), class: 'line' })]
      : bands(order, x);
    area.replaceChildren(...under, ...points);
  };
  const where = (event) => {
    const { left, top, width, height } = area.getBoundingClientRect();
    return [(event.clientX - left) / width * WIDTH, (event.clientY - top) / height * (curve ? HEIGHT : 44)];
  };
  const item = ([px, py], old) => {
    const place = short(scale.x.from(px), scale.x.span);
    return curve ? [place, short(scale.y.from(py), scale.y.span)] : [place, old];
  };
  // A point of a curve stays between those beside it.
  const between = (place) => {
    const gap = scale.x.span / 1000;
    return Math.min((now[held + 1]?.[0] ?? Infinity) - gap, Math.max((now[held - 1]?.[0] ?? -Infinity) + gap, place));
  };
  area.addEventListener('pointerdown', (event) => {
    const mark = event.target.closest('.point');
    if (!mark) return;
    event.preventDefault();
    held = Number(mark.dataset.index);
    area.setPointerCapture(event.pointerId);
  });
  area.addEventListener('pointermove', (event) => {
    if (held === null) return;
    const [place, other] = item(where(event), now[held][1]);
    now = now.with(held, [curve ? short(between(place), scale.x.span) : place, other]);
    paint();
    change(now);
  });
  const end = (event) => {
    if (held === null) return;
    const [, py] = where(event);
    // A point that is dragged out is removed.
    if ((py < -30 || py > (curve ? HEIGHT : 44) + 30) && now.length > 2) { now = now.toSpliced(held, 1); change(now); }
    held = null;
    paint();
  };
  area.addEventListener('pointerup', end);
  area.addEventListener('pointercancel', end);
  area.addEventListener('dblclick', (event) => {
    if (event.target.closest('.point')) return;
    const at = where(event);
    const near = [...now].sort((a, b) => Math.abs(scale.x.to(a[0]) - at[0]) - Math.abs(scale.x.to(b[0]) - at[0]))[0];
    const added = item(at, near?.[1] ?? [128, 128, 128]);
    const after = now.findIndex((other) => other[0] > added[0]);
    now = after < 0 ? [...now, added] : now.toSpliced(after, 0, added);
    paint();
    change(now);
  });
  paint();
  return { element: h('div', { className: 'drawn' }, area), set: (next) => { if (held === null) { now = next; paint(); } } };
}

// The path of a curve through points, level before the first and after the last. A smooth one is the monotone cubic that the node computes.
function course(points, smooth) {
  if (!points.length) return '';
  const secants = points.slice(1).map(([x, y], at) => (y - points[at][1]) / (x - points[at][0] || 1e-9));
  const slopes = points.map((_, at) => {
    const [before, after] = [secants[at - 1] ?? secants[at], secants[at] ?? secants[at - 1]];
    return before * after <= 0 ? 0 : 2 * before * after / (before + after);
  });
  const pieces = points.slice(1).map(([x, y], at) => {
    const [from, up] = points[at];
    const third = (x - from) / 3;
    return smooth ? `C${from + third} ${up + slopes[at] * third} ${x - third} ${y - slopes[at + 1] * third} ${x} ${y}` : `L${x} ${y}`;
  });
  return `M0 ${points[0][1]} L${points[0][0]} ${points[0][1]} ${pieces.join(' ')} L${WIDTH} ${points.at(-1)[1]}`;
}

// The scales of both axes, with some room around the points.
function frame(items, curve) {
  const axis = (values, from, to) => {
    const [low, high] = [Math.min(...values, Infinity), Math.max(...values, -Infinity)];
    const [start, end] = !(high > low) ? [Number.isFinite(low) ? low - 0.5 : 0, Number.isFinite(low) ? low + 0.5 : 1] : [low, high];
    const span = end - start;
    return { span, to: (value) => from + (value - start) / span * (to - from), from: (at) => start + (at - from) / (to - from) * span };
  };
  return { x: axis(items.map(([at]) => at), EDGE, WIDTH - EDGE), y: curve ? axis(items.map(([, at]) => at), HEIGHT - EDGE, EDGE) : null };
}

function bands(order, x) {
  const parts = order.map(([at, colour], index) => ({ from: x.to(at), to: index + 1 < order.length ? x.to(order[index + 1][0]) : WIDTH, colour, next: order[index + 1]?.[1] ?? colour }));
  const id = `gradient-${Math.random().toString(36).slice(2)}`;
  const stops = order.map(([at, colour]) => svg('stop', { offset: `${100 * x.to(at) / WIDTH}%`, 'stop-color': toHex(colour) }));
  const gradient = svg('linearGradient', { id });
  gradient.append(...stops);
  return parts.length ? [gradient, svg('rect', { x: 0, y: 2, width: WIDTH, height: 18, rx: 4, fill: `url(#${id})` })] : [];
}

// A number with about a thousandth of the range as its unit.
function short(value, span) {
  const unit = 10 ** (Math.floor(Math.log10(span)) - 3);
  return Number((Math.round(value / unit) * unit).toPrecision(10));
}
