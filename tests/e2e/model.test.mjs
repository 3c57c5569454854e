// A model of one's own: a pasted config or Megatron arguments, and the form; what is wrong is said
// in the dialog, which keeps what was typed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { answered, open, root } from './harness.mjs';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const config = await readFile(`${root}/tests/samples/hf_configs/Qwen__Qwen3-8B.json`, 'utf8');
const megatron = `torchrun pretrain_gpt.py --num-layers 4 --hidden-size 1024 \\
  --num-attention-heads 16 --max-position-embeddings 4096 --position-embedding-type rope \\
  --swiglu --padded-vocab-size 32000`;

const words = {
  'en-US': {
    open: /^Paste a config/, text: /^A config\.json, or Megatron/, use: 'Use this text',
    form: 'Use this shape', layers: 'Layers', hidden: 'Hidden size', heads: 'Attention heads',
    groups: 'Key-value heads', size: 'Head size', close: 'Close',
  },
  'zh-CN': {
    open: /^粘贴配置/, text: /^config\.json 或/, use: '使用此内容', form: '使用此结构',
    layers: '层数', hidden: '隐藏维度', heads: '注意力头数', groups: '键值头数', size: '头维度',
    close: '关闭',
  },
};

let browser;
before(async () => { browser = await open(); });
after(async () => {
  assert.deepEqual(browser.errors, []);
  await browser.close();
});

async function dialog(locale) {
  const page = await browser.page({ locale });
  await answered(page);
  const { open } = words[locale];
  await page.locator('#app').getByRole('button', { name: open }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  return { page, dialog };
}

const model = (page) => page.locator('#app #model').inputValue();

for (const locale of Object.keys(words)) {
  const word = words[locale];

  test(`a pasted config becomes the model, ${locale}`, async () => {
    const { page, dialog: sheet } = await dialog(locale);
    await sheet.getByLabel(word.text).fill(config);
    await sheet.getByRole('button', { name: word.use }).click();
    await sheet.waitFor({ state: 'detached' });
    await page.locator('#app').getByText(/qwen3.*36/).waitFor();
    assert.equal(await model(page), 'config.json');
    await page.context().close();
  });

  test(`Megatron arguments become the model, ${locale}`, async () => {
    const { page, dialog: sheet } = await dialog(locale);
    await sheet.getByLabel(word.text).fill(megatron);
    await sheet.getByRole('button', { name: word.use }).click();
    await sheet.waitFor({ state: 'detached' });
    await page.locator('#app').getByText(/megatron.*4/).first().waitFor();
    await page.context().close();
  });

  test(`an unknown family fills the form, and the rest is filled in by hand, ${locale}`, async () => {
    const { page, dialog: sheet } = await dialog(locale);
    const before = await model(page);
    const text = '{"model_type": "brand_new", "num_hidden_layers": 7, "hidden_size": 640, "num_attention_heads": 10, "intermediate_size": 2560, "vocab_size": 32000, "max_position_embeddings": 2048}';
    await sheet.getByLabel(word.text).fill(text);
    await sheet.getByRole('button', { name: word.use }).click();
    const alert = sheet.getByRole('alert');
    await alert.waitFor();
    assert.match(await alert.innerText(), /brand_new/);
    if (locale === 'zh-CN') assert.match(await alert.innerText(), /不支持/);
    assert.equal(await sheet.getByLabel(word.text).inputValue(), text);
    assert.equal(await model(page), before);
    const field = (name) => sheet.getByLabel(name, { exact: true });
    await page.waitForFunction(() => [...document.querySelectorAll('dialog input')].some((one) => one.value === '640'));
    assert.equal(await field(word.layers).inputValue(), '7');
    await field(word.heads).fill('9');
    await field(word.groups).fill('');
    await field(word.size).fill('');
    await sheet.getByRole('button', { name: word.form }).click();
    await sheet.getByRole('alert').filter({ hasText: '640' }).waitFor();
    assert.equal(await field(word.heads).inputValue(), '9');
    await field(word.heads).fill('10');
    await sheet.getByRole('button', { name: word.form }).press('Enter');
    await sheet.waitFor({ state: 'detached' });
    await page.locator('#app').getByText(/megatron.*7/).first().waitFor();
    await answered(page);
    await page.context().close();
  });

  test(`the form begins with the present model, and Escape changes nothing, ${locale}`, async () => {
    const { page, dialog: sheet } = await dialog(locale);
    const before = await model(page);
    await page.waitForFunction(() => document.querySelector('dialog .model-form input')?.value !== '');
    assert.equal(await sheet.getByLabel(word.layers, { exact: true }).inputValue(), '80');
    await page.evaluate(axe);
    const violations = await page.evaluate(async () => {
      const { violations } = await globalThis.axe.run(document.querySelector('dialog'));
      return violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(' ')}`);
    });
    assert.deepEqual(violations, []);
    await sheet.getByLabel(word.layers, { exact: true }).fill('3');
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    assert.equal(await model(page), before);
    await page.context().close();
  });
}
