// Changes parameters of all shapes, of subgraphs and of the graph, as a user does. Run by `cargo xtask browser`.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until, viewer } from './view.mjs';

const GRAPH = `// Shapes.
Graph(
    size: (65, 65), spacing: 4.0, seed: 5,
    params: { "rough": 0.5, "bent": true, "loose": 3 }, // for all
    nodes: {
        "hills": MidpointDisplacement(persistence: "$rough", amplitude: 300.0, smoothed: "$bent"),
        "curve": Curve(
            height: "hills",
            points: [
                (0, 0), // the sea
                (300.50, 200.0),
            ],
        ),
        "ramp": Ramp(from: (0.0, 0.0), to: (256.0, 0.0), high: 40.0), // east
        "left": Subgraph(file: "parts/soft.ron", inputs: { "ground": "curve" }, params: { "radius": "$loose" }),
        "right": Subgraph(file: "parts/soft.ron", inputs: { "ground": "ramp" }),
        "relief": ColorRelief(height: "left/soft"),
        "empty": Section(graph: "cells"),
        "cells": HexGraph(columns: 3, rows: 3, side: 40),
        "fields": AssignTerrain(
            fields: "empty",
            descriptions: [
                ("Hill", Noise(amplitude: 20, seed: 18446744073709551615)), // high
                ("Lake", Map()),
            ],
            rules: [("Lake", ["Hill"])],
        ),
    },
    outputs: { "height.npy": "curve" },
)
`;
const PART = `Graph(
    params: { "radius": 2.0 },
    nodes: {
        "ground": Constant(value: 1.0),
        "soft": Blur(height: "ground", radius: "$radius"), // kept
        "low": Remap(height: "soft", to: (0.0, 1.0)),
    },
    outputs: { "soft.npy": "soft" },
)
`;

const view = viewer(GRAPH);
const options = { files: { 'parts/soft.ron': PART } };

const choose = (page, node) => page.click(`.card:has(b:text-is("${node}"))`);
const value = (page, node, parameter) => page.evaluate(([name, wanted]) => {
  const { graph } = window.terrane;
  const found = graph.nodes.find((other) => other.name === name);
  return found.params[graph.types[found.type].params.findIndex((param) => param.name === wanted)].value;
}, [node, parameter]);
const reads = (page, node, parameter, wanted) => until(page, ([name, field, text]) => {
  const { graph, state } = window.terrane;
  const found = graph.nodes.find((other) => other.name === name);
  const now = found.params[graph.types[found.type].params.findIndex((param) => param.name === field)];
  return JSON.stringify(now.value) === text && graph.revision === state.revision && state.phase === 'done';
}, [node, parameter, JSON.stringify(wanted)]);
const write = async (page) => {
  await page.click('#write');
  await until(page, () => document.querySelector('#changes').hidden);
};

view('items of a list are changed, added and removed, and its comments stay', async ({ page, preview }) => {
  await choose(page, 'curve');
  const points = page.getByRole('group', { name: 'points' });
  await points.getByLabel('points, item 2, value 2').fill('150');
  await reads(page, 'curve', 'points', [[0, 0], [300.5, 150]]);
  await points.getByRole('button', { name: 'add an item' }).click();
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'points, item 3, value 1');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('400');
  await reads(page, 'curve', 'points', [[0, 0], [300.5, 150], [400, 150]]);
  await write(page);
  const longer = GRAPH.replace('(300.50, 200.0),', '(300.50, 150.0),\n                (400.0, 150.0),');
  assert.equal(await preview.text(), longer);
  await points.getByRole('button', { name: 'item 2, remove' }).click();
  await reads(page, 'curve', 'points', [[0, 0], [400, 150]]);
  await write(page);
  assert.equal(await preview.text(), longer.replace('                (300.50, 150.0),\n', ''));
}, options);

view('rows of numbers, optional values and records are changed part by part', async ({ page, preview }) => {
  await choose(page, 'ramp');
  await page.getByLabel('to, value 2', { exact: true }).fill('128');
  await reads(page, 'ramp', 'to', [256, 128]);
  await choose(page, 'fields');
  const descriptions = page.getByRole('group', { name: 'descriptions' });
  await descriptions.getByLabel('octaves set').check();
  await reads(page, 'fields', 'descriptions', [['Hill', { name: 'Noise', fields: { amplitude: 20, seed: '18446744073709551615', octaves: 8 } }], ['Lake', { name: 'Map', fields: {} }]]);
  await descriptions.getByLabel('item 1, value 2, octaves', { exact: false }).last().fill('4');
  await descriptions.getByLabel('amplitude set').uncheck();
  await descriptions.getByLabel('item 1, value 1').fill('A "$loose"\\');
  await until(page, () => window.terrane.state.changes.some((change) => change.value.includes('octaves: 4') && change.value.includes('loose')));
  await page.getByRole('group', { name: 'rules' }).getByLabel('rules, item 1, value 2, item 1', { exact: true }).fill('Lake');
  await write(page);
  const text = await preview.text();
  assert.ok(text.includes('to: (256.0, 128.0), high'), text);
  assert.ok(text.includes(String.raw`("A \"\u{24}loose\"\\", Noise(octaves: 4, seed: 18446744073709551615)), // high`), text);
  assert.ok(text.includes('rules: [("Lake", ["Lake"])]'), text);
}, options);

view('parameters of a subgraph change in its file, or where the graph passes the value', async ({ page, preview }) => {
  await choose(page, 'left/low');
  assert.equal(await page.locator('.param:has(#param-to) .where').textContent(), 'in parts/soft.ron, used twice');
  await page.getByLabel('to, value 2', { exact: true }).fill('9');
  await reads(page, 'right/low', 'to', [0, 9]);
  await choose(page, 'left/soft');
  assert.equal(await page.locator('.param:has(#param-radius) .where').count(), 0, 'handed in by this file');
  await page.fill('#param-radius', '5');
  await choose(page, 'right/soft');
  assert.equal(await page.locator('.param:has(#param-radius) .where').textContent(), 'in parts/soft.ron, used twice');
  await page.fill('#param-radius', '1.5');
  await until(page, () => window.terrane.state.changes.length === 3);
  assert.equal(await preview.text('parts/soft.ron'), PART, 'the files wait');
  await write(page);
  assert.match(await page.locator('#notice').textContent(), /^wrote 2 values to parts.soft\.ron and 1 value to graph\.ron$/);
  assert.equal(await preview.text(), GRAPH.replace('"loose": 3', '"loose": 5.0'));
  assert.equal(await preview.text('parts/soft.ron'), PART.replace('"radius": 2.0', '"radius": 1.5').replace('to: (0.0, 1.0)', 'to: (0.0, 9.0)'));
}, options);

view('parameters of the graph have a separate section, which names the fields that they set', async ({ page, preview }) => {
  const of = (name) => page.locator(`#graph-parameters .param[data-name="${name}"]`);
  assert.deepEqual(await page.locator('#graph-parameters .param').evaluateAll((rows) => rows.map((row) => row.dataset.name)), ['rough', 'bent', 'loose']);
  assert.equal(await of('rough').locator('.drives button').textContent(), 'hills.persistence');
  assert.equal(await of('loose').locator('.drives button').textContent(), 'left/soft.radius');
  await of('rough').locator('input[type=number]').fill('0.75');
  await of('bent').locator('input[type=checkbox]').uncheck();
  await until(page, () => window.terrane.state.changes.length === 2);
  await of('rough').locator('.drives button').click();
  assert.equal(await page.locator('.card.selected b').textContent(), 'hills');
  await until(page, () => document.querySelector('#param-persistence').value === '0.75');
  assert.ok(await page.locator('.param.changed:has(#param-persistence)').isVisible(), 'one place is one change');
  await of('rough').getByRole('button', { name: 'Reset rough' }).click();
  await until(page, () => window.terrane.state.changes.length === 1);
  await write(page);
  assert.equal(await preview.text(), GRAPH.replace('"bent": true', '"bent": false'));
}, options);

view('unwritten changes are sent again after a restart of the server', async ({ page, preview }) => {
  await choose(page, 'curve');
  await page.getByLabel('points, item 2, value 2').fill('150');
  await page.locator('#graph-parameters [data-name=rough] input[type=number]').fill('0.25');
  await until(page, () => window.terrane.state.changes.length === 2);
  await preview.stop();
  await until(page, () => document.body.classList.contains('lost'));
  await preview.run();
  await until(page, () => !document.body.classList.contains('lost') && window.terrane.state.changes.length === 2);
  await reads(page, 'curve', 'points', [[0, 0], [300.5, 150]]);
  assert.match(await page.locator('#notice').textContent(), /was restarted; 2 unwritten changes were sent again/);
  await page.click('#discard');
  await until(page, () => window.terrane.state.changes.length === 0);
  await preview.stop();
  await until(page, () => document.body.classList.contains('lost'));
  await preview.run();
  await until(page, () => !document.body.classList.contains('lost') && window.terrane.state.phase === 'done');
  await page.waitForTimeout(300);
  assert.deepEqual(await page.evaluate(() => window.terrane.state.changes), [], 'what was discarded stays so');
  assert.equal(await preview.text(), GRAPH);
}, options);

view('a change that stops the graph from loading is reported and not written', async ({ page, preview }) => {
  await choose(page, 'hills');
  await page.fill('#param-amplitude', '310');
  await until(page, () => window.terrane.state.changes.length === 1 && window.terrane.state.phase === 'done');
  const other = GRAPH.replace('MidpointDisplacement(persistence: "$rough", amplitude: 300.0, smoothed: "$bent")', 'Constant(value: 1.0)');
  await preview.save(other);
  await page.waitForSelector('#unwritten .problem');
  await page.click('#write');
  await until(page, () => /^nothing was written: /.test(document.querySelector('#notice').textContent));
  assert.equal(await preview.text(), other);
}, options);

view('changes discarded while the server was down, or made to another graph, do not come back', async ({ page, preview }) => {
  await choose(page, 'curve');
  const change = async () => {
    await page.getByLabel('points, item 2, value 2').fill('150');
    await until(page, () => window.terrane.state.changes.length === 1);
  };
  const again = async () => {
    await preview.run();
    await until(page, () => !document.body.classList.contains('lost') && window.terrane.state.phase === 'done' && window.terrane.state.changes.length === 0);
    await page.waitForTimeout(300);
    assert.deepEqual(await page.evaluate(() => window.terrane.state.changes), []);
  };
  const stop = async () => {
    await preview.stop();
    await until(page, () => document.body.classList.contains('lost'));
  };
  await change();
  await stop();
  await page.click('#discard');
  await again();
  await change();
  await stop();
  preview.name = 'parts/../other.ron';
  await writeFile(join(preview.folder, 'other.ron'), GRAPH);
  await again();
}, options);

view('a change of a removed node is listed, and does not prevent writing the others', async ({ page, preview }) => {
  await choose(page, 'ramp');
  await page.getByLabel('to, value 1', { exact: true }).fill('200');
  await choose(page, 'cells');
  await page.fill('#param-rows', '4');
  await until(page, () => window.terrane.state.changes.length === 2);
  const without = GRAPH.replace('"cells": HexGraph(columns: 3, rows: 3, side: 40)', '"mesh": HexGraph(columns: 3, rows: 3, side: 40)').replace('graph: "cells"', 'graph: "mesh"');
  await preview.save(without);
  await page.waitForSelector('#unwritten .problem');
  assert.match(await page.locator('#unwritten .problem').textContent(), /no node `cells`/);
  await page.click('#write');
  await until(page, () => /^nothing was written: graph.ron: /.test(document.querySelector('#notice').textContent));
  await page.getByRole('button', { name: 'Reset graph.ron: cells.rows' }).click();
  await until(page, () => window.terrane.state.changes.length === 1);
  await write(page);
  assert.equal(await preview.text(), without.replace('to: (256.0, 0.0)', 'to: (200.0, 0.0)'));
}, options);

view('on a narrow page all controls fit, and file names are shown but cannot be changed', async ({ page }) => {
  for (const node of ['curve', 'fields', 'hills']) {
    await choose(page, node);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${node} is not cut off`);
    const narrow = await page.locator('.inspector input:not([type=checkbox])').evaluateAll((inputs) => inputs.filter((input) => input.getBoundingClientRect().width < 40).map((input) => input.ariaLabel ?? input.id));
    assert.deepEqual(narrow, []);
    const unnamed = await page.locator('.inspector :is(input, select, button)').evaluateAll((all) => all.filter((one) => !(one.ariaLabel || one.labels?.length || one.textContent)).map((one) => one.outerHTML));
    assert.deepEqual(unnamed, [], 'every control has a name');
  }
  await choose(page, 'hills');
  assert.equal(await value(page, 'hills', 'persistence'), 0.5);
}, { ...options, page: { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } });
