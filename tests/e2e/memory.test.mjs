// Memory by instant: the slider by keyboard, the table that follows it, the tree behind a number,
// and an out-of-memory message set against the plan.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { answered, example, open } from './harness.mjs';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const words = {
  'en-US': {
    tab: 'Memory', instant: 'Instant', device: 'Whole device', weights: 'Weights', logits: 'Logits and loss',
    first: /^After loading/, last: /^While a checkpoint is saved/, peak: /^In the backward pass/,
    loss: /^While the loss is computed/, absent: 'Not at this stage', fits: 'Fits',
    formula: /^= parameters on this GPU × bytes per weight/, close: 'Close',
    explain: /^Explain Weights, Stage 1, /,
    oom: /^Explain an out-of-memory message/, pasted: /^The message/, go: 'Explain',
    named: /^The failed allocation of 0\.488 GiB is: Logits in 16 bits/,
    factors: ['Tokens of a micro-batch on this GPU', '8,192', 'Vocabulary on this GPU', '32,000'],
    idle: /^2\.00 GiB lie idle in pieces.*expandable_segments/,
    changes: 'Changes that make it fit, re-run',
    nothing: /no out-of-memory message.*expected/,
  },
  'zh-CN': {
    tab: '显存', instant: '时刻', device: '整个设备', weights: '权重', logits: 'logits 与损失',
    first: /^加载之后/, last: /^保存检查点时/, peak: /^反向传播中/,
    loss: /^计算损失时/, absent: '该级没有这一时刻', fits: '放得下',
    formula: /^= 本 GPU 的参数量 × 每参数权重字节数/, close: '关闭',
    explain: /^解释第 1 级：权重/,
    oom: /^解释一条显存不足报错/, pasted: /^报错/, go: '解释',
    named: /^失败的 0\.488 GiB 分配是：16 位 logits/,
    factors: ['8,192', '32,000'],
    idle: /^有 2\.00 GiB 以碎片形式闲置.*expandable_segments/,
    changes: '能放得下的改动（均已重新计算）',
    nothing: /没有显存不足报错；应类似/,
  },
};

// As PyTorch 2.0 prints it: the logits of two sequences of 4,096 tokens, 32,000 words, 2 bytes.
const message = `Traceback (most recent call last):
torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 500.00 MiB (GPU 0; 23.65 GiB total capacity; 20.11 GiB already allocated; 402.56 MiB free; 22.11 GiB reserved in total by PyTorch) If reserved memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation.`;

let browser;
before(async () => { browser = await open(); });
after(async () => {
  assert.deepEqual(browser.errors, []);
  assert.deepEqual(browser.foreign, []);
  await browser.close();
});

/** The memory tab of a fresh page, or of an example. */
async function memory(locale, { scheme = 'light', chosen } = {}) {
  const page = await browser.page({ locale, scheme });
  await answered(page);
  if (chosen) await example(page, chosen);
  await page.locator('#app').getByRole('tab', { name: words[locale].tab, exact: true }).click();
  const panel = page.locator('#drawer-panel');
  await panel.getByRole('slider', { name: words[locale].instant }).waitFor();
  return { page, panel, slider: panel.getByRole('slider', { name: words[locale].instant }) };
}

/** What stands in a row of the first table: a cell a stage, as text and exact. */
const row = (panel, name) => panel.getByRole('table').first().getByRole('row')
  .filter({ has: panel.page().getByRole('rowheader', { name, exact: true }) })
  .locator('td').evaluateAll((cells) => cells.map((cell) => cell.innerText.trim()));

const gib = (text) => Number.parseFloat(text) / (/MiB/.test(text) ? 1024 : 1);

async function audit(page, place) {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document.querySelector('dialog[open]') ?? document.getElementById('drawer-panel'));
    return violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(' ').slice(0, 300)}`);
  });
  assert.deepEqual(found, [], place);
}

for (const locale of Object.keys(words)) {
  const word = words[locale];

  test(`the slider begins at the peak and walks the run by keyboard, ${locale}`, async () => {
    const { page, panel, slider } = await memory(locale);
    assert.match(await slider.getAttribute('aria-valuetext'), word.peak);
    const peak = Math.max(...(await row(panel, word.device)).map(gib));
    const seen = [];
    await slider.press('Home');
    const count = Number(await slider.getAttribute('max')) + 1;
    assert.equal(count, 8);
    for (let at = 0; at < count; at += 1) {
      seen.push(await slider.getAttribute('aria-valuetext'));
      const caption = await panel.locator('table caption').first().innerText();
      assert.ok(seen[at].startsWith(caption.split(/[,，]/)[0]), `${caption} beside ${seen[at]}`);
      const devices = (await row(panel, word.device)).filter((text) => text !== '–').map(gib);
      const said = Number.parseFloat(seen[at].match(/([\d.]+) GiB/)[1]);
      assert.equal(Math.max(...devices), said, seen[at]);
      assert.ok(said <= peak, seen[at]);
      await slider.press('ArrowRight');
    }
    assert.match(seen[0], word.first);
    assert.match(seen.at(-1), word.last);
    assert.equal(new Set(seen).size, seen.length);
    await page.context().close();
  });

  test(`the table is that of the bars, and of the loss only the last stage has one, ${locale}`, async () => {
    const { page, panel, slider } = await memory(locale);
    const bars = await panel.locator('figure .bar-row:not(.is-axis)').filter({ has: page.locator('svg') })
      .locator('.bar-value').evaluateAll((all) => all.map((one) => one.innerText));
    const devices = await row(panel, word.device);
    assert.deepEqual(bars.slice(0, devices.length), devices);
    const logits = await row(panel, word.logits);
    assert.deepEqual(logits.map(gib), devices.map(() => 0));
    await slider.press('ArrowLeft');
    assert.match(await slider.getAttribute('aria-valuetext'), word.loss);
    const at = await row(panel, word.logits);
    assert.deepEqual(at.slice(0, -1), at.slice(0, -1).map(() => '–'));
    assert.ok(gib(at.at(-1)) > 0, at.at(-1));
    assert.ok(await panel.getByText(word.absent).first().isVisible());
    await page.context().close();
  });

  test(`a number opens its formula and source, ${locale}`, async () => {
    const { page, panel } = await memory(locale);
    const button = panel.getByRole('button', { name: word.explain });
    const value = await button.innerText();
    await button.press('Enter');
    const sheet = page.getByRole('dialog');
    await sheet.getByText(word.formula).waitFor();
    assert.equal(await sheet.locator('.sheet-value').innerText(), value);
    assert.equal(await sheet.locator('.term-value').first().innerText(), value);
    assert.ok((await sheet.locator('.term-source').count()) > 0);
    await audit(page, 'sheet');
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.context().close();
  });

  test(`an out-of-memory message names its tensor, ${locale}`, async () => {
    const { page, panel } = await memory(locale, { chosen: /7B.*4090|4090/ });
    await panel.getByRole('button', { name: word.oom }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(word.pasted).fill(message);
    await dialog.getByRole('button', { name: word.go, exact: true }).press('Enter');
    const result = dialog.getByRole('status');
    await result.getByText(word.named).waitFor();
    const terms = await result.locator('.term-tree').first().innerText();
    for (const factor of word.factors) assert.ok(terms.includes(factor), `${factor} in ${terms}`);
    await result.getByText(word.idle).waitFor();
    await result.getByText(word.changes).waitFor();
    assert.ok((await result.locator('.oom-fixes li').count()) > 0);
    await audit(page, 'explained');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.context().close();
  });

  test(`a text that is no such message is kept, and what was expected is said, ${locale}`, async () => {
    const { page, panel } = await memory(locale);
    await panel.getByRole('button', { name: word.oom }).click();
    const dialog = page.getByRole('dialog');
    const text = 'step 12: loss 2.31, grad norm 0.8';
    await dialog.getByLabel(word.pasted).fill(text);
    await dialog.getByRole('button', { name: word.go, exact: true }).click();
    const alert = dialog.getByRole('alert');
    await alert.waitFor();
    assert.match(await alert.innerText(), word.nothing);
    assert.equal(await dialog.getByLabel(word.pasted).inputValue(), text);
    await dialog.getByRole('button', { name: word.close }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.context().close();
  });

  for (const scheme of ['light', 'dark']) {
    test(`axe on the tab at two instants and on the dialog, ${locale}, ${scheme}`, async () => {
      const { page, panel, slider } = await memory(locale, { scheme });
      await audit(page, 'peak');
      await slider.press('Home');
      await audit(page, 'load');
      await panel.getByRole('button', { name: word.oom }).click();
      await page.getByRole('dialog').getByLabel(word.pasted).fill(message);
      await page.getByRole('dialog').getByRole('button', { name: word.go, exact: true }).click();
      await page.locator('.oom-fixes, .oom-result h3').first().waitFor();
      await audit(page, 'dialog');
      await page.context().close();
    });
  }

  test(`on a narrow screen all of the table can be reached, ${locale}`, async () => {
    const page = await browser.page({ locale, width: 390, height: 844 });
    await answered(page);
    await page.getByRole('tablist', { name: /^(Panes|面板)$/ }).getByRole('tab').last().click();
    await page.getByRole('tab', { name: word.tab, exact: true }).click();
    const frame = page.locator('#drawer-panel .table-frame').first();
    await frame.waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.equal(wide, false, 'the page itself does not scroll sideways');
    const end = await frame.evaluate((one) => {
      one.scrollLeft = one.scrollWidth;
      const last = one.querySelector('tbody tr td:last-child').getBoundingClientRect();
      const name = one.querySelector('tbody th').getBoundingClientRect();
      return { last: last.right, name: name.left, left: one.getBoundingClientRect().left };
    });
    assert.ok(end.last <= 390, `the last column ends at ${end.last}`);
    assert.equal(end.name, end.left);
    await page.context().close();
  });
}
