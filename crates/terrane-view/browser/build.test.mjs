// Builds graphs as a user does: by mouse and by keyboard. Run by `cargo xtask browser`.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Preview, until, viewer } from './view.mjs';

const EMPTY = 'Graph(\n    nodes: {\n    },\n)\n';
const QUICKSTART = new URL('../../../graphs/quickstart.ron', import.meta.url);

const view = viewer(EMPTY);

// The text of a graph without comments, as the formatter writes it.
async function formatted(preview, text) {
  const file = join(preview.folder, 'formatted.ron');
  await writeFile(file, text.replace(/ *\/\/.*$/gm, '').replace(/^\s*\n/gm, ''));
  await promisify(execFile)(process.env.TERRANE, ['fmt', file]);
  return readFile(file, 'utf8');
}

const settled = (page) => until(page, () => {
  const { graph, state } = window.terrane;
  return graph && state && graph.revision === state.revision && state.phase === 'done';
});
// Waits until the graph has the number of unwritten steps and changes.
const changes = (page, steps, values) => until(page, ([edits, numbers]) => {
  const { graph, state } = window.terrane;
  return graph.revision === state.revision && state.steps.length === edits && (numbers === undefined || state.changes.length === numbers);
}, [steps, values]);
const selected = (page, name) => until(page, (wanted) => document.querySelector('#inspector h2')?.firstChild?.textContent === wanted, name);
const write = async (page) => {
  await page.click('#write');
  await until(page, () => document.querySelector('#changes').hidden);
};

// The file has this default in its text.
const WRITTEN = Symbol('written');

// The nodes of graphs/quickstart.ron: type, name, values in the order of the text, and further wires.
const NODES = [
  { type: 'MidpointDisplacement', name: 'hills', values: { persistence: '$ruggedness', smoothed: true, amplitude: 400 } },
  { type: 'Voronoi', name: 'ridges', values: { regions: 6, coefficients: WRITTEN, amplitude: 400 }, alone: true },
  { type: 'Combine', name: 'base', after: 'hills', wires: { b: 'ridges' }, values: { mode: 'Lerp', weight: 0.333 } },
  { type: 'Perturb', name: 'rough', after: 'base', values: { magnitude: WRITTEN, boundary: WRITTEN } },
  { type: 'ThermalErosion', name: 'eroded', after: 'rough', values: { talus: 0.7, iterations: 60 } },
  { type: 'Hillshade', name: 'shade', after: 'eroded', values: {} },
  { type: 'ColorRelief', name: 'relief', after: 'eroded', wires: { shade: 'shade' }, values: {} },
  { type: 'Contours', name: 'map', after: 'eroded', wires: { picture: 'relief' }, values: { interval: 50, width: 0.5 } },
  { type: 'ErosionScore', name: 'score', after: 'eroded', values: {} },
];
const FILES = [['eroded', 'quickstart/height.png'], ['relief', 'quickstart/relief.png'], ['map', 'quickstart/map.png'], ['score', 'quickstart/score.json']];

// The steps of a hand with a mouse, or of one with a keyboard alone.
const MOUSE = {
  choose: (page, node) => page.click(`.card:has(b:text-is("${node}"))`),
  add: (page) => page.click('#graph-add'),
  press: (page, locator) => locator.click(),
  // Draws a wire from the output of a card to a port of another.
  async connect(page, node, port, source) {
    await page.click('#graph-fit');
    const middle = async (handle) => {
      const { x, y, width, height } = await handle.boundingBox();
      return [x + width / 2, y + height / 2];
    };
    const card = (name) => page.locator(`.card:has(b:text-is("${name}"))`);
    await card(source).hover();
    await page.mouse.move(...await middle(card(source).locator('.handle.out').first()));
    await page.mouse.down();
    const input = card(node).locator(`.handle.in:has(span:text-is("${port}"))`);
    await page.waitForSelector(`.card:has(b:text-is("${node}")) .handle.in.lit`);
    await page.mouse.move(...await middle(input), { steps: 5 });
    await page.mouse.up();
  },
};
const KEYBOARD = {
  async choose(page, node) {
    await page.locator(`.card:has(b:text-is("${node}"))`).focus();
    await page.keyboard.press('Enter');
  },
  async add(page) {
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press('/');
  },
  async press(page, locator) {
    await locator.focus();
    await page.keyboard.press('Enter');
  },
  connect: (page, node, port, source) => page.getByLabel(`Source of ${port}`).selectOption(source),
};

// Sets one value with its control.
async function set(page, hand, parameter, value) {
  const row = page.locator(`.param:has([id="param-${parameter}"])`);
  if (value === '$ruggedness') {
    await row.hover();
    await hand.press(page, row.getByRole('button', { name: 'Parameter of the graph' }));
    await page.getByLabel('Name of a new parameter').fill('ruggedness');
    await hand.press(page, page.getByRole('button', { name: 'Add a parameter', exact: true }));
    return 1;
  }
  if (value === WRITTEN) {
    await row.hover();
    await hand.press(page, page.getByRole('button', { name: `Write ${parameter}`, exact: true }));
    await until(page, (name) => window.terrane.state.changes.some((change) => change.parameter === name), parameter);
    return 0;
  }
  const field = page.locator(`[id="param-${parameter}"]`);
  if (typeof value === 'boolean') await field.setChecked(value);
  else if (typeof value === 'string') await field.selectOption(value);
  else await field.fill(String(value));
  return 0;
}

async function build(page, preview, hand) {
  const header = (name, value) => page.locator(`#header-fields [id="header-${name}"]`).fill(String(value));
  await page.getByLabel('size, value 1', { exact: true }).fill('513');
  await page.getByLabel('size, value 2', { exact: true }).fill('513');
  await header('spacing', 4);
  await header('seed', 42);
  await changes(page, 0, 3);
  let steps = 0;
  for (const { type, name, after, values, wires = {} } of NODES) {
    if (after) { await hand.choose(page, after); await selected(page, after); }
    await hand.add(page);
    await page.locator('#finder-words').fill(type);
    await page.waitForSelector(`#finder-0 b:text-is("${type}")`);
    await hand.press(page, hand === MOUSE ? page.locator('#finder-0') : page.locator('#finder-words'));
    steps += 1;
    await changes(page, steps);
    await until(page, (wanted) => document.querySelector('#inspector .summary b')?.textContent === wanted, type);
    await hand.press(page, page.getByRole('button', { name: 'Rename', exact: true }));
    await page.getByLabel('New name').fill(name);
    await page.keyboard.press('Enter');
    steps += 1;
    await changes(page, steps);
    await selected(page, name);
    if (await page.locator('.rest:not([open]) summary').count()) await hand.press(page, page.locator('.rest summary'));
    // A source has values that suit the map; here others are wanted, in another order.
    const defaults = page.getByRole('button', { name: /^Default of / });
    while (await defaults.count()) {
      await defaults.first().focus();
      await page.keyboard.press('Enter');
      steps += 1;
      await changes(page, steps);
    }
    for (const [port, source] of Object.entries(wires)) {
      await hand.connect(page, name, port, source);
      steps += 1;
      await changes(page, steps);
    }
    for (const [parameter, value] of Object.entries(values)) {
      steps += await set(page, hand, parameter, value);
      await changes(page, steps);
      await page.evaluate(() => document.activeElement?.blur());
    }
  }
  for (const [node, file] of FILES) {
    await hand.choose(page, node);
    await selected(page, node);
    await page.getByLabel('Name of a new file').fill(file);
    await hand.press(page, page.locator('.newfile').getByRole('button', { name: 'Add', exact: true }));
    steps += 1;
    await changes(page, steps);
  }
  await settled(page);
  return steps;
}

for (const [name, hand] of [['mouse', MOUSE], ['keyboard', KEYBOARD]]) {
  view(`graphs/quickstart.ron is built by ${name} alone, undone to nothing and redone`, async ({ page, preview, say }) => {
    const steps = await build(page, preview, hand);
    say(`${steps} edits`);
    await write(page);
    const wanted = await formatted(preview, await readFile(QUICKSTART, 'utf8'));
    assert.equal(await preview.text(), wanted);
    // Back to the empty graph, and forth again.
    const count = () => page.evaluate(() => window.terrane.state.history.undo);
    for (let step = 0; await count(); step += 1) {
      assert.ok(step < 500);
      const before = await page.evaluate(() => window.terrane.graph.revision);
      await page.keyboard.press('Control+z');
      await until(page, (old) => window.terrane.graph.revision > old, before);
    }
    assert.equal(await preview.text(), EMPTY);
    assert.deepEqual(await page.evaluate(() => window.terrane.graph.nodes), []);
    while (await page.evaluate(() => window.terrane.state.history.redo)) {
      const before = await page.evaluate(() => window.terrane.graph.revision);
      await page.keyboard.press('Control+y');
      await until(page, (old) => window.terrane.graph.revision > old, before);
    }
    assert.equal(await preview.text(), wanted);
  });
}

const ROADS = `Graph(
    size: (129, 129),
    spacing: 16.0,
    seed: 2,
    nodes: {
        // The ground.
        "hills": Perlin(wavelength: 700.0, amplitude: 250.0),
        "roads": PathGraph(
            nodes: [(200.0, 300.0), (900.0, 1200.0), (1800.0, 500.0)], // three towns
            edges: [(0, 1), (1, 2)],
        ),
        "paths": SubdividePath(graph: "roads", height: "hills"),
        "worn": ThermalErosion(height: "hills", iterations: 2),
        "cone": Ramp(shape: Radial, from: (512.0, 512.0), to: (1024.0, 1024.0), high: 100.0),
    },
)
`;

view('dragging a node of a road on the ground changes one pair of numbers', async ({ page, preview }) => {
  await page.click('.card:has(b:text-is("roads"))');
  await page.waitForSelector('#draw:not([hidden])');
  const mark = page.locator('#places .mark').nth(1);
  await mark.waitFor();
  await page.waitForTimeout(200);
  const { x, y } = await mark.boundingBox();
  await page.mouse.move(x + 8, y + 8);
  await page.mouse.down();
  await page.mouse.move(x + 48, y - 22, { steps: 6 });
  await page.mouse.up();
  await changes(page, 0, 1);
  await settled(page);
  await write(page);
  const text = await preview.text();
  const [, a, b] = /\(200\.0, 300\.0\), \((\d+\.\d+), (\d+\.\d+)\), \(1800\.0, 500\.0\)/.exec(text);
  assert.ok(Number(a) > 950 && Number(b) < 1150, text);
  assert.equal(text, ROADS.replace('(900.0, 1200.0)', `(${a}, ${b})`), 'nothing else changes');
  // The keyboard moves it by one sample.
  await page.locator('#places .mark').first().focus();
  await page.keyboard.press('ArrowRight');
  await changes(page, 0, 1);
  await write(page);
  assert.ok((await preview.text()).includes('(216.0, 300.0)'));
}, { text: ROADS });

view('a click adds a town and a road to it, and ends of a ramp are dragged', async ({ page, preview }) => {
  await page.click('.card:has(b:text-is("roads"))');
  await page.click('#draw');
  const { x, y, width, height } = await page.locator('#map').boundingBox();
  await page.mouse.click(x + width / 2 + 60, y + height / 2 + 50);
  await changes(page, 0, 2);
  await write(page);
  const text = await preview.text();
  assert.match(text, /edges: \[\(0, 1\), \(1, 2\), \(2, 3\)\]/);
  assert.match(text, /\(1800\.0, 500\.0\), \(\d+\.\d+, \d+\.\d+\)\]/);
  await page.click('.card:has(b:text-is("cone"))');
  await until(page, () => document.querySelectorAll('#places .mark').length === 2);
  await page.locator('#places .mark').first().focus();
  await page.keyboard.press('Shift+ArrowDown');
  await changes(page, 0, 1);
  await write(page);
  assert.ok((await preview.text()).includes('from: (512.0, 672.0)'));
}, { text: ROADS });

view('a value typed back is no change, and a preset is one edit', async ({ page, preview }) => {
  await page.click('.card:has(b:text-is("worn"))');
  await page.locator('#param-iterations').fill('7');
  await changes(page, 0, 1);
  await page.locator('#param-iterations').fill('2');
  await changes(page, 0, 0);
  assert.ok(await page.locator('#changes').isHidden());
  await page.evaluate(() => document.activeElement.blur());
  await page.getByLabel('Preset').selectOption('scree');
  await changes(page, 1, 0);
  await settled(page);
  assert.equal(await page.locator('#param-iterations').inputValue(), '100');
  await page.click('#undo');
  await changes(page, 0, 0);
  await settled(page);
  assert.equal(await page.locator('#param-iterations').inputValue(), '2');
  assert.equal(await preview.text(), ROADS);
}, { text: ROADS });

view('nodes are grouped into a new file, duplicated, bypassed and deleted, and the difference is shown', async ({ page, preview }) => {
  await page.click('.card:has(b:text-is("worn"))');
  await page.keyboard.press('d');
  await changes(page, 1);
  await selected(page, 'worn_2');
  await page.keyboard.press('Delete');
  await changes(page, 2);
  await page.click('.card:has(b:text-is("worn"))');
  await page.keyboard.press('g');
  await page.getByLabel('Name', { exact: true }).fill('slopes');
  await page.keyboard.press('Enter');
  await changes(page, 3);
  await page.waitForSelector('.card:has(b:text-is("slopes/worn"))');
  await page.click('.difference summary');
  await page.waitForSelector('.difference ins');
  const shown = await page.locator('.difference').textContent();
  assert.ok(shown.includes('slopes.ron new') && shown.includes('"slopes": Subgraph(file: "slopes.ron"'), shown);
  await write(page);
  assert.ok((await preview.text('slopes.ron')).includes('"worn": ThermalErosion('));
  await page.click('#undo');
  await until(page, () => window.terrane.state.steps.length === 3);
  assert.equal(await preview.text(), ROADS);
  await assert.rejects(preview.text('slopes.ron'), 'the file that was made is removed again');
}, { text: ROADS });

view('a node is inserted on a wire by a double click, and a wire is drawn to free ground', async ({ page }) => {
  await page.click('#graph-fit');
  const middle = await page.evaluate(() => {
    const { graph } = window.terrane;
    const at = graph.wires.findIndex(([, , target]) => graph.nodes[target].name === 'worn');
    const path = document.querySelector(`#wires path[data-wire="${at}"]`);
    const point = path.getPointAtLength(path.getTotalLength() / 2).matrixTransform(path.getScreenCTM());
    return [point.x, point.y];
  });
  await page.mouse.dblclick(...middle);
  await page.locator('#finder-words').fill('blur');
  await page.waitForSelector('#finder-0 b:text-is("Blur")');
  await page.keyboard.press('Enter');
  await changes(page, 1);
  await selected(page, 'blur');
  const wires = await page.evaluate(() => window.terrane.graph.nodes.find((node) => node.name === 'worn').inputs[0].wire);
  assert.equal(wires, 'blur');
}, { text: ROADS });

view('a start from a template is undone until the file is gone, and redone', async ({ browser }) => {
  const preview = await Preview.start(null);
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    await page.goto(preview.url);
    await page.waitForSelector('#start:not([hidden]) li button');
    await page.getByRole('button', { name: /^empty/ }).focus();
    await page.keyboard.press('Enter');
    await until(page, () => window.terrane.graph && !window.terrane.state.missing);
    const empty = await preview.text();
    await KEYBOARD.add(page);
    await page.locator('#finder-words').fill('Perlin');
    await page.waitForSelector('#finder-0 b:text-is("Perlin")');
    await page.keyboard.press('Enter');
    await changes(page, 1);
    await write(page);
    const full = await preview.text();
    assert.match(full, /Perlin\(/);
    // The write, the node and the start.
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('Control+z');
    await page.waitForSelector('#start:not([hidden])');
    await assert.rejects(preview.text(), 'the file is gone');
    await page.keyboard.press('Control+y');
    await page.waitForSelector('#start', { state: 'hidden' });
    assert.equal(await preview.text(), empty);
    await page.keyboard.press('Control+y');
    await page.keyboard.press('Control+y');
    await until(page, () => window.terrane.graph.nodes.length === 1 && window.terrane.state.steps.length === 0);
    assert.equal(await preview.text(), full);
    await page.close();
  } finally {
    await preview.end();
  }
});

view('with "Write at once", each change is written, and undone in the file', async ({ page, preview }) => {
  await page.click('.card:has(b:text-is("worn"))');
  await page.check('#at-once');
  await page.locator('#param-iterations').fill('7');
  await page.evaluate(() => document.activeElement.blur());
  const saved = async (words, there = true) => {
    for (let turn = 0; turn < 100 && (await preview.text()).includes(words) !== there; turn += 1) await page.waitForTimeout(50);
    assert.equal((await preview.text()).includes(words), there, words);
  };
  await saved('iterations: 7');
  await page.keyboard.press('d');
  await saved('"worn_2"');
  // The edit and its write are undone together: the file has it no longer, also after a while.
  await page.keyboard.press('Control+z');
  await saved('"worn_2"', false);
  await changes(page, 0);
  await page.waitForTimeout(1500);
  await saved('"worn_2"', false);
  await page.keyboard.press('Control+y');
  await saved('"worn_2"');
  await changes(page, 0);
}, { text: ROADS });

view('a wire is moved in one edit, and a new node reads the ground that it needs', async ({ page, preview }) => {
  await page.click('#graph-fit');
  const middle = async (node, port) => {
    const { x, y, width, height } = await page.locator(`.card:has(b:text-is("${node}")) .handle.in:has(span:text-is("${port}"))`).boundingBox();
    return [x + width / 2, y + height / 2];
  };
  // From a port of `worn` to one of `paths`.
  await page.mouse.move(...await middle('worn', 'height'));
  await page.mouse.down();
  await page.mouse.move(...await middle('paths', 'forbidden'), { steps: 5 });
  await page.mouse.up();
  await changes(page, 1);
  assert.match(await page.evaluate(() => window.terrane.state.steps[0].said), /move a wire from `worn.height` to `paths.forbidden`/);
  await page.click('#undo');
  await changes(page, 0);
  await page.click('.card:has(b:text-is("paths"))');
  await page.keyboard.press('/');
  await page.locator('#finder-words').fill('RelaxPath');
  await page.waitForSelector('#finder-0 b:text-is("RelaxPath")');
  await page.keyboard.press('Enter');
  await changes(page, 1);
  await settled(page);
  await write(page);
  assert.match(await preview.text(), /RelaxPath\(solver: Draft, (subdivision: "paths", height: "hills"|height: "hills", subdivision: "paths")\)/);
}, { text: ROADS });
