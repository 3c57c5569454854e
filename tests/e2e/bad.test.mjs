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

test('a broken link opens the page with a message', async () => {
  const page = await browser.page({ hash: '#v1.AAAA-not-a-link' });
  await page.locator('#app .notice').waitFor();
  assert.match(await answered(page), /Fits/);
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
