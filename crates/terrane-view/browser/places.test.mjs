// Drags and draws positions on the map and in the scene as a user does. Run by `cargo xtask browser`.

import assert from 'node:assert/strict';
import { until, viewer } from './view.mjs';

const GRAPH = `Graph(
    size: (129, 129),
    spacing: 32.0,
    seed: 4,
    nodes: {
        "hills": OpenSimplex(wavelength: 1600.0, octaves: 8, amplitude: 900.0, offset: -250.0),
        "roads": PathGraph(
            nodes: [(600.0, 700.0), (2200.0, 1500.0), (3300.0, 3300.0)], // three towns
            edges: [(0, 1), (1, 2)],
            slopes: [0.1, 0.2],
        ),
        "more": EditGraph(graph: "roads", nodes: [(500.0, 3000.0)]),
        "summits": Points(points: [(1000.0, 1000.0, Some(400.0)), (2000.0, 2500.0, None)]),
        "view": Render(height: "hills", sea: 0.0, pixels: (480, 270), eye: Some((300.0, 300.0, 600.0)), target: Some((2000.0, 2000.0, 100.0))),
    },
)
`;

const view = viewer(GRAPH);

const changes = (page, count) => until(page, (wanted) => { const { graph, state } = window.terrane; return graph.revision === state.revision && state.changes.length === wanted; }, count);
const write = async (page) => { await page.click('#write'); await until(page, () => document.querySelector('#changes').hidden); };
const param = (page, node, name) => page.evaluate(([of, field]) => {
  const { graph } = window.terrane;
  const found = graph.nodes.find((one) => one.name === of);
  return found.params[graph.types[found.type].params.findIndex((spec) => spec.name === field)].value;
}, [node, name]);

// Waits until the graph has a value.
const becomes = async (page, node, name, value) => {
  for (let turn = 0; turn < 100 && JSON.stringify(await param(page, node, name)) !== JSON.stringify(value); turn += 1) await page.waitForTimeout(50);
  assert.deepEqual(await param(page, node, name), value);
};

// Shows the scene of `view` from further away, and selects a node.
async function scene(page, node) {
  await page.evaluate(() => { window.terrane.stage.addEventListener('shadedscene', () => { window.shaded = true; }); });
  await page.click('#view-scene');
  await until(page, () => window.shaded);
  await page.evaluate((name) => { window.terrane.stage.view.zoom(0.5); window.terrane.stage.view.turn(0.4); location.hash = `#${name}`; }, node);
  await page.waitForSelector('#places .mark:not([hidden])');
  // The picture is drawn once more when the camera stands still.
  await page.waitForTimeout(700);
}

const middle = async (mark) => { const { x, y, width, height } = await mark.boundingBox(); return [x + width / 2, y + height / 2]; };
async function drag(page, mark, dx, dy) {
  const [x, y] = await middle(mark);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + dx, y + dy, { steps: 6 });
  await page.mouse.up();
  return [x + dx, y + dy];
}

view('a node of a road is dragged in the scene, over the ground under the pointer', async ({ page, preview }) => {
  await scene(page, 'roads');
  const end = await drag(page, page.locator('#places .mark').nth(1), 70, 25);
  await changes(page, 1);
  const now = await middle(page.locator('#places .mark').nth(1));
  assert.ok(Math.hypot(now[0] - end[0], now[1] - end[1]) < 3, `the mark is under the pointer: ${now}, ${end}`);
  await write(page);
  const text = await preview.text();
  const [, x, y] = /\(600\.0, 700\.0\), \((\d+\.\d+), (\d+\.\d+)\), \(3300\.0, 3300\.0\)/.exec(text);
  assert.equal(text, GRAPH.replace('(2200.0, 1500.0)', `(${x}, ${y})`), 'nothing else changes');
  assert.ok(Math.hypot(x - 2200, y - 1500) > 100);
});

view('the camera\'s target is dragged in the scene, and raised', async ({ page }) => {
  await scene(page, 'view');
  const target = page.locator('#places .mark[aria-label^="target"]');
  const before = await param(page, 'view', 'target');
  await drag(page, target, 60, 0);
  await changes(page, 1);
  await page.waitForTimeout(500);
  const moved = await param(page, 'view', 'target');
  assert.ok(Math.hypot(moved[0] - before[0], moved[1] - before[1]) > 50 && moved[2] === before[2], String(moved));
  await target.focus();
  await page.keyboard.press('PageUp');
  await until(page, () => window.terrane.state.phase === 'done');
  await page.waitForFunction(([name, old]) => { const { graph } = window.terrane; const node = graph.nodes.find((one) => one.name === name); return node.params[graph.types[node.type].params.findIndex((spec) => spec.name === 'target')].value[2] === old + 32; }, ['view', before[2]]);
  // The mark of a raised position stands above its foot.
  const heights = await page.evaluate(() => [...document.querySelectorAll('#places line')].map((line) => Number(line.getAttribute('y2')) - Number(line.getAttribute('y1'))));
  assert.ok(heights.some((height) => height > 5), String(heights));
});

view('points with heights are shown at their heights', async ({ page }) => {
  await scene(page, 'summits');
  assert.equal(await page.locator('#places .mark:not([hidden])').count(), 2);
  const mark = page.locator('#places .mark').first();
  const [, before] = await middle(mark);
  await mark.focus();
  await page.keyboard.press('Shift+PageUp');
  await changes(page, 1);
  await becomes(page, 'summits', 'points', [[1000, 1000, 720], [2000, 2500, null]]);
  const [, after] = await middle(page.locator('#places .mark').first());
  assert.ok(after < before - 5, `${before} ${after}`);
});

for (const mode of ['map', 'scene']) {
  view(`a closed line is drawn ${mode === 'map' ? 'on the map' : 'in the scene'}, a town is removed, and each is undone at once`, async ({ page, preview }) => {
    if (mode === 'scene') await scene(page, 'roads');
    else await page.evaluate(() => { location.hash = '#roads'; });
    await page.waitForSelector('#draw:not([hidden])');
    await page.click('#draw');
    assert.match(await page.locator('#draw-hint').textContent(), /on a point to join it/);
    await page.keyboard.press('Escape');
    const { x, y, width, height } = await page.locator(mode === 'map' ? '#map' : '#scene').boundingBox();
    const side = Math.min(width, height);
    for (const [at, [u, v]] of [[-0.05, 0.3], [0.05, 0.3], [0.03, 0.2]].entries()) {
      await page.mouse.click(x + width / 2 + u * side, y + height / 2 + v * side);
      await until(page, (count) => document.querySelectorAll('#places .mark').length === count, 4 + at);
    }
    await page.mouse.click(...await middle(page.locator('#places .mark').nth(3)));
    await changes(page, 3);
    await becomes(page, 'roads', 'edges', [[0, 1], [1, 2], [3, 4], [4, 5], [5, 3]]);
    // Each road has a slope.
    await becomes(page, 'roads', 'slopes', [0.1, 0.2, 0.2, 0.2, 0.2]);
    // Escape ends the line, and then the drawing.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    assert.equal(await page.getAttribute('#draw', 'aria-pressed'), 'false');
    await page.locator('#places .mark').nth(1).focus();
    await page.keyboard.press('Delete');
    await until(page, () => document.querySelectorAll('#places .mark').length === 5);
    await becomes(page, 'roads', 'edges', [[2, 3], [3, 4], [4, 2]]);
    await becomes(page, 'roads', 'slopes', [0.2, 0.2, 0.2]);
    await page.evaluate(() => document.activeElement.blur());
    await until(page, () => window.terrane.state.phase === 'done');
    await page.keyboard.press('Control+z');
    await until(page, () => document.querySelectorAll('#places .mark').length === 6 && window.terrane.state.phase === 'done');
    // Five edits: three points and their roads, and the last road.
    for (let step = 0; step < 4; step += 1) {
      const before = await page.evaluate(() => window.terrane.graph.revision);
      await page.keyboard.press('Control+z');
      await until(page, (old) => window.terrane.graph.revision > old && window.terrane.state.phase === 'done', before);
    }
    await changes(page, 0);
    assert.equal(await preview.text(), GRAPH);
  });
}

view('nodes that are added to a graph of another node are not joined to it', async ({ page }) => {
  await page.evaluate(() => { location.hash = '#more'; });
  await page.waitForSelector('#draw:not([hidden])');
  await page.click('#draw');
  const { x, y, width, height } = await page.locator('#map').boundingBox();
  await page.mouse.click(x + width / 2, y + height / 2);
  await changes(page, 1);
  assert.equal((await param(page, 'more', 'nodes')).length, 2);
  await becomes(page, 'more', 'edges', []);
});
