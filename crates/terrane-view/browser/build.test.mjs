// Builds graphs as a user does: by mouse and by keyboard. Run by `cargo xtask browser`.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until, viewer } from './view.mjs';

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

// The nodes of graphs/quickstart.ron: type, name, values in the order of the text, and further wires.
const NODES = [
  { type: 'MidpointDisplacement', name: 'hills', values: { persistence: '$ruggedness', smoothed: true, amplitude: 400 } },
  { type: 'Voronoi', name: 'ridges', values: { regions: 6, coefficients: [-1, 1], amplitude: 400 }, alone: true },
  { type: 'Combine', name: 'base', after: 'hills', wires: { b: 'ridges' }, values: { mode: 'Lerp', weight: 0.333 } },
  { type: 'Perturb', name: 'rough', after: 'base', values: { magnitude: 0.25, boundary: 'Open' } },
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
  const field = page.locator(`[id="param-${parameter}"]`);
  if (typeof value === 'boolean') await field.setChecked(value);
  else if (Array.isArray(value)) {
    const items = page.getByRole('group', { name: parameter });
    while (await items.getByRole('button', { name: /, remove$/ }).count() > value.length) await hand.press(page, items.getByRole('button', { name: /, remove$/ }).last());
    for (const [index, number] of value.entries()) await items.getByLabel(`${parameter}, item ${index + 1}`, { exact: true }).fill(String(number));
  } else if (typeof value === 'string') await field.selectOption(value);
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
    await hand.press(page, page.getByRole('button', { name: 'Write a file', exact: true }));
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
