// Wrong and hostile input: a message that names the place, the cause and what helps; the
// document stays as it was.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readFile } from 'node:fs/promises';
import { answered, open, root } from './harness.mjs';

const project = await readFile(`${root}/examples/llama2-70b-2x8-a100.yaml`, 'utf8');

let browser;
before(async () => { browser = await open(); });
after(() => browser.close());

const paste = (page, text) => page.evaluate((text) => {
  const data = new DataTransfer();
  data.setData('text/plain', text);
  document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
}, text);

const wrong = [
  ['broken JSON', '{"model_type": "llama",\n "hidden_size": }', /line 2|第 2 行/i],
  ['a missing field', '{"model_type": "llama", "hidden_size": 4096}', /num_hidden_layers|num_attention_heads/],
  ['an unknown family', '{"model_type": "bert", "hidden_size": 768}', /bert/],
  ['a broken project', project.replace('nodes: 2', 'nodes: many'), /(Nodes|节点数)[^]*many|many[^]*(Nodes|节点数)/],
  ['markup', '{"model_type": "<img src=x onerror=alert(1)>"}', /<img/],
];

for (const locale of ['en-US', 'zh-CN']) {
  for (const [name, text, place] of wrong) {
    test(`${name}, ${locale}`, async () => {
      const page = await browser.page({ locale });
      const verdict = await answered(page);
      await paste(page, text);
      const notice = page.locator('#app .notice');
      await notice.waitFor();
      assert.match(await notice.innerText(), place);
      if (locale === 'zh-CN') assert.match(await notice.innerText(), /[\u4e00-\u9fff]/);
      assert.equal(await answered(page), verdict);
      await page.context().close();
    });
  }
}

for (const [locale, words] of [['en-US', /link.*(whole|copy it again|cut)/i], ['zh-CN', /链接.*(完整|重新复制)/]]) {
  test(`a broken link opens the page with a message, ${locale}`, async () => {
    const page = await browser.page({ locale, hash: '#v1.AAAA-not-a-link' });
    await page.getByRole('alert').filter({ hasText: words }).waitFor();
    assert.match(await answered(page), /Fits|放得下/);
    await page.context().close();
  });

  test(`a huge file is refused by its size, ${locale}`, async () => {
    const page = await browser.page({ locale });
    const verdict = await answered(page);
    for (const field of [/^(Open a project|打开项目)/, /^(open a|打开) config\.json$/]) {
      await page.getByLabel(field).and(page.locator('input[type=file]')).setInputFiles({
        name: 'huge.json', mimeType: 'text/plain', buffer: Buffer.alloc(40_000_000, 'x'),
      });
      const message = page.getByRole('alert').filter({ hasText: /40,?000,?000/ });
      await message.waitFor();
      assert.match(await message.innerText(), locale === 'zh-CN' ? /过大/ : /too many/);
      assert.equal(await answered(page), verdict);
      await message.getByRole('button', { name: /^(Close|关闭)$/ }).click();
      await message.waitFor({ state: 'detached' });
    }
    await page.context().close();
  });
}

test('a refused file leaves every input and the history as they were', async () => {
  const page = await browser.page();
  await answered(page);
  const inputs = () => page.locator('#app').locator('input, select').evaluateAll(
    (all) => all.filter((one) => one.type !== 'file').map((one) => one.value),
  );
  const before = await inputs();
  for (const [, text] of wrong) {
    await paste(page, text);
    await page.getByRole('alert').first().waitFor();
    await page.getByRole('alert').first().getByRole('button', { name: 'Close' }).click();
  }
  assert.deepEqual(await inputs(), before);
  assert.ok(await page.getByRole('button', { name: 'Undo' }).isDisabled());
});

test('a number out of range stays in its field and says the range', async () => {
  const page = await browser.page();
  const verdict = await answered(page);
  const nodes = page.getByLabel('Nodes', { exact: true }).first();
  await nodes.fill('0');
  await nodes.press('Enter');
  await page.getByRole('alert').filter({ hasText: /16,?384/ }).waitFor();
  assert.equal(await answered(page), verdict);
});
