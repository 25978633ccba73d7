// Uses the live preview's scenes as a user does. Run by `cargo xtask browser`.

import assert from 'node:assert/strict';
import { until, viewer } from './view.mjs';

const GRAPH = `Graph(
    size: (257, 257), spacing: 16.0, seed: 4,
    nodes: {
        "hills": OpenSimplex(wavelength: 1600.0, octaves: 8, amplitude: 900.0, offset: -250.0),
        "land": FluvialErosion(height: "hills", iterations: 20),
        "colours": ColorRelief(height: "land", ramp: Earth),
        "steep": Select(height: "land", by: Slope, range: (0.6, 9.0), falloff: 0.2),
        "lakes": Lakes(height: "land"),
        "flow": Drainage(height: "land"),
        "rivers": Rivers(receivers: "flow.receivers", drainage: "flow", threshold: 100000.0),
        "view": Render(height: "land", picture: "colours", water: "lakes", sea: 0.0, pixels: (480, 270)),
        "bare": Render(height: "land", pixels: (480, 270), haze: 0.3, altitude: 12.0, camera_altitude: 50.0),
        "from the shore": Render(height: "land", picture: "colours", sea: 0.0, pixels: (480, 270), eye: Some((2000.0, 2000.0, 150.0)), target: Some((3000.0, 1200.0, 0.0))),
        "upwards": Render(height: "land", picture: "colours", pixels: (480, 270), eye: Some((2000.0, 2000.0, 30.0)), target: Some((2600.0, 1200.0, 900.0))),
        "from above": Render(height: "land", picture: "colours", pixels: (480, 270), camera_altitude: 90.0, camera_azimuth: 130.0),
        "deep sea": Render(height: "land", picture: "colours", pixels: (480, 270), sea: -900.0, zoom: Some(1.0)),
    },
    outputs: { "land.npy": "land" },
)
`;

const view = viewer(GRAPH);

// Selects a node, whose card may be out of sight.
const select = (page, node) => page.evaluate((name) => { location.hash = `#${encodeURIComponent(name)}`; }, node);

// Shows the scene of a node, and waits until it is drawn with its shadows.
async function scene(page, node) {
  await page.evaluate(() => {
    window.terrane.stage.addEventListener('shadedscene', () => { window.shaded = window.terrane.stage.view.node; });
  });
  await page.click('#view-scene');
  await select(page, node);
  await until(page, (name) => window.shaded === name, node);
}

const status = (page, node) => page.evaluate((name) => {
  const { graph, state } = window.terrane;
  return state.nodes[graph.nodes.findIndex((other) => other.name === name)].status;
}, node);

// How red the scene's picture is: the mean of red less green, and the number of pixels that are red.
const red = (page) => page.evaluate(async () => {
  const image = await createImageBitmap(await window.terrane.stage.view.picture());
  const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  let [sum, pixels] = [0, 0];
  for (let at = 0; at < data.length; at += 4) {
    sum += data[at] - data[at + 1];
    if (data[at] > 190 && data[at + 1] < 140 && data[at + 2] < 130) pixels += 1;
  }
  return { mean: sum / data.length * 4, pixels };
});

// The mean difference of the scene's picture from the node's own, of 255, and the share of pixels that differ by more than 32.
async function difference(page) {
  const drawn = await page.evaluate(async () => {
    const blob = await window.terrane.stage.view.picture();
    return Array.from(new Uint8Array(await blob.arrayBuffer()));
  });
  await page.click('#view-2d');
  await until(page, () => {
    const { graph, state } = window.terrane;
    return state.nodes[graph.nodes.findIndex((node) => node.name === decodeURIComponent(location.hash.slice(1)))].ids.length > 0;
  });
  return page.evaluate(async (bytes) => {
    const { graph, state } = window.terrane;
    const name = decodeURIComponent(location.hash.slice(1));
    const id = state.nodes[graph.nodes.findIndex((node) => node.name === name)].ids[0];
    const pixels = async (blob) => {
      const image = await createImageBitmap(blob);
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height).data;
    };
    const own = await pixels(await (await fetch(`value/${id}/picture`)).blob());
    const made = await pixels(new Blob([new Uint8Array(bytes)], { type: 'image/png' }));
    let [sum, many] = [0, 0];
    for (let at = 0; at < own.length; at += 4) {
      const by = [0, 1, 2].map((channel) => Math.abs(own[at + channel] - made[at + channel]));
      sum += by[0] + by[1] + by[2];
      if (Math.max(...by) > 32) many += 1;
    }
    return { same: own.length === made.length, mean: sum / own.length * 4 / 3, many: many / own.length * 4 };
  }, drawn);
}

for (const node of ['view', 'bare', 'from the shore', 'upwards', 'from above', 'deep sea']) {
  view(`the scene of a node agrees with its picture: ${node}`, async ({ page, say }) => {
    await scene(page, node);
    assert.equal(await status(page, node), 'unseen', 'no picture is rendered for it');
    const { same, mean, many } = await difference(page);
    say(`mean difference ${mean.toFixed(2)} of 255, ${(100 * many).toFixed(1)} % of pixels by more than 32`);
    assert.ok(same && mean < 4 && many < 0.03);
  });
}

view('a scene stays while another node is selected and tuned', async ({ page }) => {
  await scene(page, 'view');
  const before = await page.evaluate(() => window.terrane.stage.view.id);
  await select(page, 'hills');
  await page.fill('#param-amplitude', '700');
  await until(page, (old) => window.terrane.stage.view.id !== old, before);
  assert.equal(await page.inputValue('#scene-of'), 'view\n');
  assert.ok(await page.locator('#scene canvas').isVisible());
  // Before and after the change.
  await page.waitForSelector('#scene-before:not([disabled])');
  const after = await page.evaluate(() => window.terrane.stage.view.id);
  await page.click('#scene-before');
  await until(page, (old) => window.terrane.stage.view.id === old, before);
  await page.keyboard.press('c');
  await until(page, (now) => window.terrane.stage.view.id === now, after);
  // Another scene that is selected is shown, unless this one is pinned.
  await page.check('#scene-pin');
  await select(page, 'bare');
  assert.equal(await page.inputValue('#scene-of'), 'view\n');
  await page.uncheck('#scene-pin');
  await select(page, 'hills');
  await select(page, 'bare');
  assert.equal(await page.inputValue('#scene-of'), 'bare\n');
  // Other views come and go.
  await page.click('#view-2d');
  await until(page, () => document.querySelector('#scene').hidden && !document.querySelector('#map').hidden);
  await page.click('#view-scene');
  await until(page, () => !document.querySelector('#scene').hidden && document.querySelector('#map').hidden);
});

view('a scene is not mixed from old and new parts', async ({ page }) => {
  await scene(page, 'view');
  await page.evaluate(() => {
    const { scenes } = window.terrane.stage;
    const spec = scenes.spec.bind(scenes);
    window.mixed = new Set();
    scenes.spec = (state) => { const now = spec(state); if (now) window.mixed.add([now.ground, now.picture, now.water].join(' ')); return now; };
  });
  await select(page, 'hills');
  const before = await page.evaluate(() => window.terrane.stage.view.id);
  await page.fill('#param-amplitude', '700');
  await until(page, (old) => window.terrane.stage.view.id !== old && window.terrane.state.phase === 'done', before);
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => window.mixed.size), 2);
});

view('a graph without ground has no scene, and says so', async ({ page, preview }) => {
  await scene(page, 'view');
  await preview.save('Graph(size: (33, 33), nodes: { "green": Gradient(stops: [(0.0, (98, 122, 60)), (1.0, (130, 130, 90))]) })');
  await until(page, () => /no ground to show/.test(document.querySelector('#empty').textContent) && !document.querySelector('#empty').hidden);
});

view('a selected mask tints the scene, and any ground can be shown under any picture', async ({ page }) => {
  await scene(page, 'view');
  const plain = (await red(page)).mean;
  await select(page, 'steep');
  await page.waitForTimeout(1500);
  assert.ok((await red(page)).mean > plain + 5);
  await page.uncheck('#scene-selected');
  await page.waitForTimeout(500);
  assert.ok(Math.abs((await red(page)).mean - plain) < 1);
  await page.selectOption('#scene-of', 'hills\n0');
  await page.selectOption('#scene-drape', 'colours\n0');
  await until(page, () => { const { graph, state, stage } = window.terrane; return stage.view.id === state.nodes[graph.nodes.findIndex((node) => node.name === 'hills')].ids[0]; });
});

view('selected rivers are drawn on the ground of the scene', async ({ page }) => {
  await scene(page, 'bare');
  const none = (await red(page)).pixels;
  await select(page, 'rivers');
  await page.waitForTimeout(1500);
  assert.ok((await red(page)).pixels > none + 200);
});

view('the camera of the scene is written into its node', async ({ page, preview }) => {
  await scene(page, 'from the shore');
  await page.evaluate(() => window.terrane.stage.view.turn(0.5));
  await page.click('#scene-camera');
  // The target stays where it was, which is no change.
  await until(page, () => window.terrane.state.changes.some((change) => change.parameter === 'eye'));
  const pose = await page.evaluate(() => window.terrane.stage.view.pose);
  await page.click('#write');
  await until(page, () => window.terrane.state.changes.length === 0);
  const text = await preview.text();
  const written = /"from the shore".*eye: Some\(\(([^)]*)\)\), target: Some\(\(([^)]*)\)\)/.exec(text);
  assert.ok(written, text);
  const near = (words, value) => words.split(',').map(Number).every((number, at) => Math.abs(number - value[at]) < 1);
  assert.ok(near(written[1], pose.eye) && near(written[2], pose.target), text);
  assert.ok(!near(written[1], [2000, 2000, 150]));
});

const LARGE = GRAPH.replace('(257, 257), spacing: 16.0', '(1025, 1025), spacing: 4.0');

view('a scene of 1025 x 1025 samples turns', async ({ page, say }) => {
  await scene(page, 'view');
  let error;
  const rate = await page.evaluate(async () => {
    const scene = window.terrane.stage.view;
    const frames = async (count) => {
      const started = performance.now();
      for (let frame = 0; frame < count; frame += 1) { scene.turn(0.01); await new Promise(requestAnimationFrame); }
      return 1000 * count / (performance.now() - started);
    };
    await frames(10);
    const rate = await frames(40);
    const { usual, most } = scene.error;
    return { rate, usual, most };
  }).then((found) => { error = found; return found.rate; });
  say(`samples are at most ${error.usual.toFixed(1)} pixels (99 in 100) from the surface while it moves, and never more than ${error.most.toFixed(1)}`);
  say(`1025 x 1025 in software, ${await page.evaluate(() => window.terrane.stage.view.patches)} patches while it moves: ${rate.toFixed(1)} frames a second`);
}, { text: LARGE });
