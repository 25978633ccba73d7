// Takes a screenshot of the page, and films it beside an editor in which a graph is edited and saved. Run by
// `cargo xtask browser --pictures`, which joins the frames in the folder FRAMES. `NNN-K.png` is shown for K frames.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launch, open, Preview, until } from './view.mjs';

const START = `Graph(
    size: (513, 513),
    spacing: 8.0,
    seed: 7,
    nodes: {
        "cone": Ramp(
            shape: Radial,
            from: (0.0, 2048.0), to: (2048.0, 2048.0),
            low: -500.0, high: 600.0,
        ),
        "ridges": Perlin(
            fractal: Ridged, octaves: 9,
            wavelength: 1600.0,
            amplitude: 900.0, offset: -400.0,
        ),
        "land": Combine(a: "cone", b: "ridges"),
    },
)
`;

// A scene with a sea, lakes and a mask.
const SCENE = `Graph(
    size: (513, 513),
    spacing: 8.0,
    seed: 4,
    nodes: {
        "hills": OpenSimplex(wavelength: 1600.0, octaves: 8, amplitude: 900.0, offset: -250.0),
        "land": FluvialErosion(height: "hills", iterations: 30),
        "colours": ColorRelief(height: "land", ramp: Earth),
        "lakes": Lakes(height: "land"),
        "view": Render(height: "land", picture: "colours", water: "lakes", sea: 0.0, pixels: (480, 300)),
    },
)
`;

// The edits: each inserts `text` after the text `after`, in place of `replaces`. Then the page shows `node`.
const TYPED = [
  { after: '"land": Combine(a: "cone", b: "ridges"),', replaces: '', text: '\n        "island": FluvialErosion(\n            height: "land", iterations: 40,\n        ),', node: 'island' },
  { after: 'low: -500.0, high: ', replaces: '600.0', text: '1100.0' },
  { after: 'height: "land", iterations: 40,\n        ),', replaces: '', text: '\n        "view": Render(height: "island", sea: 0.0),', node: 'view' },
];

const KEYS_A_FRAME = 7;
const SIZE = { width: 900, height: 660 };
const EDITOR = 500;

const folder = process.env.FRAMES;
const browser = await launch();
const preview = await Preview.start(START);
await page();
await film();
await browser.close();
await preview.end();

// One picture of the whole page.
async function page() {
  const text = TYPED.reduce((text, step) => typed(text, step, step.text.length).text, START);
  await preview.save(text);
  const page = await open(browser, preview, { viewport: { width: 1440, height: 860 } });
  await evaluated(page, text);
  await look(page, 'island');
  await page.screenshot({ path: join(folder, 'page.png') });
  await page.evaluate(() => window.terrane.text.show({ file: 'graph.ron', node: 'island' }));
  await until(page, () => window.terrane.text.pane?.view);
  await page.waitForTimeout(1500);
  await page.screenshot({ path: join(folder, 'text.png') });
  await scene();
  await page.context().close();
  await preview.save(START);
}

// A scene as the page draws it, and as the node renders it.
async function scene() {
  const own = await Preview.start(SCENE);
  const page = await open(browser, own);
  await page.evaluate(() => { window.terrane.stage.addEventListener('shadedscene', () => { window.shaded = true; }); });
  await page.click('#view-scene');
  await page.evaluate(() => { location.hash = '#view'; });
  await until(page, () => window.shaded);
  const bytes = (work) => page.evaluate(work).then((bytes) => Buffer.from(bytes));
  await writeFile(join(folder, 'drawn.png'), await bytes(async () => Array.from(new Uint8Array(await (await window.terrane.stage.view.picture()).arrayBuffer()))));
  await page.click('#view-2d');
  const id = () => { const { graph, state } = window.terrane; return state.nodes[graph.nodes.findIndex((node) => node.name === 'view')].ids[0]; };
  await until(page, () => { const { graph, state } = window.terrane; const node = state.nodes[graph.nodes.findIndex((node) => node.name === 'view')]; return state.phase === 'done' && ['done', 'cached'].includes(node.status) && !node.coarse; });
  await writeFile(join(folder, 'rendered.png'), await bytes(`(async () => Array.from(new Uint8Array(await (await fetch(\`value/\${(${id})()}/picture\`)).arrayBuffer())))()`));
  await page.context().close();
  await own.end();
}

// The frames of the film.
async function film() {
  const page = await open(browser, preview, { viewport: SIZE });
  const desk = await browser.newPage({ viewport: { width: EDITOR + SIZE.width, height: SIZE.height } });
  let count = 0;
  let shot = await page.screenshot();
  const frame = async (text, cursor, isSaved, long = 1) => {
    await desk.setContent(composed(text, cursor, isSaved, shot));
    await desk.screenshot({ path: join(folder, `${String(count).padStart(3, '0')}-${long}.png`) });
    count += 1;
  };
  await look(page, 'land');
  shot = await page.screenshot();
  let text = START;
  await frame(text, text.length, true, 8);
  for (const step of TYPED) {
    for (let keys = 0; keys < step.text.length; keys += KEYS_A_FRAME) {
      const now = typed(text, step, keys);
      await frame(now.text, now.cursor, false);
    }
    const now = typed(text, step, step.text.length);
    text = now.text;
    await frame(text, now.cursor, false, 2);
    await preview.save(text);
    await evaluated(page, text);
    await look(page, step.node ?? 'island');
    shot = await page.screenshot();
    await frame(text, now.cursor, true, step === TYPED.at(-1) ? 1 : 14);
  }
}

// Waits until the page shows all of a text's nodes, evaluated.
function evaluated(page, text) {
  const nodes = [...text.matchAll(/^ {8}"\w+": /gm)].length;
  return until(page, (count) => {
    const { graph, state } = window.terrane;
    return graph.nodes.length === count && state.phase === 'done' && state.nodes.every((node) => node.ids?.[0] || node.status === 'unseen');
  }, nodes);
}

// Selects a node, in three dimensions.
async function look(page, node) {
  await page.locator('.card', { has: page.locator('b', { hasText: node }) }).first().click();
  await page.locator(node === 'view' ? '#view-scene' : '#view-3d').click();
  await page.mouse.move(2, 2);
  await page.waitForTimeout(2500);
}

// The text after the first `keys` letters of a step, and where the cursor is.
function typed(text, { after, replaces, text: all }, keys) {
  const at = text.indexOf(after) + after.length;
  const written = all.slice(0, keys);
  return { text: text.slice(0, at) + written + text.slice(at + replaces.length), cursor: at + keys };
}

function composed(text, cursor, isSaved, shot) {
  const escaped = (part) => part.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const coloured = (part) => escaped(part).replace(/("[^"\n]*"?)|\b(-?\d+(?:\.\d+)?)\b|\b([A-Z]\w+)/g, (all, name, number) => `<span style="color:${name ? '#3f7d4e' : number ? '#a8641b' : '#34558b'}">${all}</span>`);
  const code = `${coloured(text.slice(0, cursor))}<i></i>${coloured(text.slice(cursor))}`;
  return `<style>
    body { margin: 0; display: flex; background: #fff; font: 14px "DejaVu Sans", sans-serif; }
    main { box-sizing: border-box; width: ${EDITOR}px; height: ${SIZE.height}px; border-right: 2px solid #c9c8c2; overflow: hidden; }
    header { padding: 13px 16px; background: #f1f0ec; border-bottom: 1px solid #d9d8d2; color: #333; }
    pre { margin: 14px 16px; font: 14px/1.55 "DejaVu Sans Mono", monospace; color: #333; }
    i { border-left: 2px solid #111; margin-right: -2px; }
  </style>
  <main><header>graph.ron ${isSaved ? '' : '●'}</header><pre>${code}</pre></main>
  <img src="data:image/png;base64,${shot.toString('base64')}">`;
}
