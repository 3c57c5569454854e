// Every number that the page gives in full, against the command line: the figures, the parts of
// the step, the memory of each stage, the candidates, the collectives and the prices. The page
// gives 6 digits on hover and money to the cent; all digits are compared in tests/web.rs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { answered, example, open, root } from './harness.mjs';

let browser;
before(async () => { browser = await open(); });
after(async () => {
  await browser.close();
  assert.deepEqual(browser.errors, [], 'the page reported errors');
});

/** Rows of the time table and the keys of `step_parts_s`. */
const partNames = {
  'Matrix products': 'matmul', Attention: 'attention', 'Memory-bound kernels': 'memory_bound',
  'Launch overhead': 'launch', 'TP, exposed': 'tp_exposed', 'CP, exposed': 'cp_exposed',
  'EP, exposed': 'ep_exposed', 'DP, exposed': 'dp_exposed', 'PP, exposed': 'pp_exposed',
  'Pipeline bubble': 'bubble', 'Optimizer step': 'optimizer', Offload: 'offload',
  'Jitter and constants': 'jitter', Step: 'total',
};

const memoryParts = {
  Weights: 'weights', Gradients: 'gradients', Optimizer: 'optimizer', Activations: 'activations',
  'Working set': 'working', 'Logits and loss': 'logits', Buffers: 'buffers', Runtime: 'runtime',
};

const number = (title) => Number.parseFloat(title.replaceAll(',', ''));
/** As the page rounds: 6 digits, and every digit before the point. */
const shortened = (value) => (Math.abs(value) >= 1e6 ? Math.round(value) : Number(value.toPrecision(6)));

function same(title, value, place) {
  assert.equal(number(title), shortened(value), `${place}: ${title}`);
}

/** The rows of the drawer's first table: the heading and the titles of the cells that have one. */
async function rows(page, tab) {
  await page.getByRole('tab', { name: tab }).click();
  const table = page.getByRole('tabpanel', { name: tab }).getByRole('table').first();
  await table.waitFor();
  return table.locator('tr').evaluateAll((all) => all.map((row) => ({
    name: row.querySelector('th[scope=row]')?.innerText.trim(),
    titles: [...row.querySelectorAll('td[title], td .number[title], td > span[title]')].map((one) => one.title),
  })).filter((row) => row.titles.length > 0));
}

const money = ({ low, high, currency }) => {
  const sign = { CNY: '¥', USD: '$' }[currency];
  const cents = (value) => sign + Number(value.toFixed(2)).toLocaleString('en-US', { minimumFractionDigits: 2 });
  return low === high ? cents(low) : `${cents(low)} – ${cents(high)}`;
};

for (const [name, file] of [
  [/70B/, 'llama2-70b-2x8-a100'],
  [/7B/, 'llama2-7b-8x4090'],
  [/DeepSeek/, 'deepseek-v3-256x8-h800'],
]) {
  test(`${file}: every full number equals the command line's`, async () => {
    const plan = JSON.parse(execFileSync(
      `${root}/target/release/meshwright`, ['plan', `${root}/examples/${file}.yaml`, '--json', '--top', '60'],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    ));
    const page = await browser.page();
    await answered(page);
    if (!file.startsWith('llama2-70b')) await example(page, name);
    const figure = (label) => page.getByRole('button', { name: `Explain ${label}` }).first().getAttribute('title');
    same(await figure('Step time'), plan.step_time_s.p50, 'step time');
    same(await figure('MFU'), plan.mfu_pct, 'MFU');
    same(await figure('Throughput'), plan.tokens_per_second, 'throughput');
    same(await figure('Time to finish'), plan.days.p50, 'days');
    same(await figure('Memory of the fullest GPU'), plan.peak_memory_gib, 'memory');

    const time = await rows(page, 'Time');
    assert.equal(time.length, Object.keys(partNames).length);
    for (const row of time) same(row.titles[0], plan.step_parts_s[partNames[row.name]], row.name);

    // The tab shows every stage at the instant of the peak, a column each group of equal ones.
    const memory = await rows(page, 'Memory');
    const columns = await page.locator('#drawer-panel table').first().locator('thead th')
      .evaluateAll((all) => all.slice(1).map((one) => one.firstChild.textContent));
    let stages = 0;
    columns.forEach((column, index) => {
      const [first, last = first] = column.match(/\d+/g).map(Number);
      for (let stage = first; stage <= last; stage += 1, stages += 1) {
        const at = plan.by_stage[stage - 1].timeline.find((one) => one.instant === plan.memory.worst_instant);
        for (const row of at ? memory : []) {
          const shown = row.name === 'Whole device' ? at.peak_gib : at.parts_gib[memoryParts[row.name]];
          same(row.titles[index], shown, `${row.name} of stage ${stage}`);
        }
      }
    });
    assert.equal(stages, plan.by_stage.length);

    const candidates = await rows(page, 'Candidates');
    assert.equal(candidates.length, plan.candidates.length);
    candidates.forEach((row, index) => {
      same(row.titles[0], plan.candidates[index].peak_memory_gib, `memory of ${row.name}`);
      same(row.titles[1], plan.candidates[index].step_time_s, `step of ${row.name}`);
    });

    const traffic = await rows(page, 'Communication');
    assert.equal(traffic.length, plan.traffic.length);
    traffic.forEach((row, index) => {
      same(row.titles[0], plan.traffic[index].time_s, `time of ${row.name}`);
      same(row.titles[1], plan.traffic[index].exposed_s, `exposed of ${row.name}`);
    });

    const priced = plan.cost.filter((line) => line.total);
    const platforms = priced.length > 0 ? await rows(page, 'Platforms') : [];
    assert.equal(platforms.length, priced.length);
    assert.deepEqual(
      platforms.map((row) => row.titles[0]).sort(),
      priced.map((line) => money(line.total)).sort(),
    );
    for (const line of priced.filter((one) => one.seed)) {
      const row = platforms.find((one) => one.name.startsWith(line.name));
      assert.equal(row?.titles[0], money(line.total), line.name);
    }
  });
}
