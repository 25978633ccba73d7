// Two pages and an editor change one graph at once. Run by `cargo xtask browser`.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { open, until, viewer } from './view.mjs';

const GRAPH = `Graph(
    size: (33, 33),
    spacing: 8.0,
    nodes: {
        // Kept.
        "hills": Perlin(wavelength: 100.0, amplitude: 40.0), // and this
        "worn": ThermalErosion(height: "hills", iterations: 2),
        "sum": Combine(a: "worn", b: "hills"),
    },
    outputs: {
        "sum.png": "sum",
    },
)
`;
const STEPS = 500;

const view = viewer(GRAPH);

// A generator of numbers that repeats.
function random(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

// One message of a page about the graph as it is shown there.
function message(page, choice) {
  return page.evaluate(([kind, a, b]) => {
    const { graph, link } = window.terrane;
    const node = (at) => graph.nodes[at % Math.max(1, graph.nodes.length)]?.name ?? 'none';
    const edit = (what) => link.say({ do: 'edit', what, tag: String(a) });
    const types = ['Perlin', 'ThermalErosion', 'Blur', 'Combine', 'Invert'];
    const port = (name) => graph.types[graph.nodes.find((one) => one.name === name)?.type]?.inputs[0]?.name ?? 'height';
    return [
      () => edit({ edit: 'add', type: types[b % types.length], values: {}, from: b % 3 ? node(a) : null, into: null }),
      () => edit({ edit: 'connect', node: node(a), port: port(node(a)), from: node(b) }),
      () => edit({ edit: 'clear', node: node(a), field: port(node(a)) }),
      () => edit({ edit: 'delete', nodes: [node(a)] }),
      () => edit({ edit: 'bypass', node: node(a) }),
      () => edit({ edit: 'copy', node: node(a) }),
      () => edit({ edit: 'rename', node: node(a), to: `n${b}` }),
      () => edit({ edit: 'output', file: `f${b % 9}.png`, from: node(a) }),
      () => edit({ edit: 'unoutput', file: `f${b % 9}.png` }),
      () => link.say({ do: 'set', node: node(a), parameter: 'iterations', value: b % 7 }),
      () => link.say({ do: 'set', node: node(a), parameter: 'wavelength', value: 50 + b }),
      () => link.say({ do: 'write' }),
      () => link.say({ do: 'undo' }),
      () => link.say({ do: 'redo' }),
      () => link.say({ do: b % 40 ? 'undo' : 'discard' }),
    ][kind]();
  }, choice);
}

view('500 random steps of two pages and an editor lose nothing', async ({ page, preview, browser, say }) => {
  const other = await open(browser, preview);
  const below = random(51);
  const check = async () => {
    try {
      await promisify(execFile)(process.env.TERRANE, ['check', preview.file]);
      return 'loads';
    } catch (error) {
      return error.stderr;
    }
  };
  let [loads, mistakes, saved] = [0, 0, 0];
  for (let step = 0; step < STEPS; step += 1) {
    const one = below(2) ? page : other;
    if (below(12) === 0) {
      // The editor adds a comment to what is on the disk, as one who types does.
      const text = await preview.text();
      const mark = `// saved ${step}`;
      await preview.save(text.replace('// Kept.', `// Kept.\n        ${mark}`));
      saved += 1;
    } else await message(one, [below(15), below(1000), below(1000)]);
    if (step % 5 === 0) await page.waitForTimeout(20);
    if (step % 50 === 49) {
      await until(page, () => window.terrane.state.phase === 'done' || window.terrane.state.mistakes > 0);
      const told = await check();
      // What a node lacks is named; nothing else can be wrong.
      if (told === 'loads') loads += 1; else { mistakes += 1; assert.match(told, /needs `/, told); }
      const text = await preview.text();
      assert.ok(text.includes('// Kept.'), text);
    }
  }
  // Each save of the editor is in the text that was written last, unless a later undo took back a write on which it was saved.
  // The other page's last steps may arrive behind a write: then they are written by the next one.
  const isWritten = () => page.evaluate(() => document.querySelector('#changes').hidden
    || /nothing was written|problem|forgotten|cannot/.test(document.querySelector('#notice').textContent));
  for (let attempt = 0; attempt < 10 && !(attempt > 0 && await isWritten()); attempt += 1) {
    await page.evaluate(() => window.terrane.link.say({ do: 'write' }));
    await page.waitForTimeout(1000);
  }
  assert.ok(await isWritten(), 'all is written, or what cannot be is said');
  const text = await preview.text();
  const kept = (text.match(/\/\/ saved \d+/g) ?? []).length;
  assert.equal(kept, saved, `each of ${saved} saves is kept`);
  // Both pages show the same graph.
  await until(page, () => window.terrane.graph.revision === window.terrane.state.revision);
  const names = (from) => from.evaluate(() => window.terrane.graph.nodes.map((node) => node.name));
  await until(other, (revision) => window.terrane.graph.revision >= revision, await page.evaluate(() => window.terrane.graph.revision));
  assert.deepEqual(await names(page), await names(other));
  say(`${loads} of 10 texts load, ${mistakes} say what a node needs; ${saved} saves`);
  // A thumbnail may be asked for when its node has another value already.
  for (const one of [page, other]) one.complaints = one.complaints.filter((words) => !/404.*thumbnail/.test(words));
  assert.deepEqual(other.complaints, []);
}, { size: undefined });
