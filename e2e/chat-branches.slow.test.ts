import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { page, startConsole, token, visitConsole } from './console.ts';
import { everyLook, expectGoodLooks } from './looks.ts';
import { chooseOption } from './select-field.ts';

startConsole();
visitConsole({ viewport: { width: 1440, height: 900 } });

const field = () => page.getByLabel('Message', { exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const thread = () => page.getByRole('region', { name: 'Messages' });
const answers = () => thread().getByRole('article');
const versions = (noun: string) => thread().getByRole('group', { name: `Versions of this ${noun}` });

async function openNewChat(model: string | RegExp): Promise<void> {
  await page.goto('/chat?new=true');
  await expect.poll(() => page.url()).toMatch(/open=/);
  await chooseOption(page, 'Model', model);
}

async function say(text: string): Promise<void> {
  await field().fill(text);
  await field().press('Enter');
  await untilAnswered();
}

async function untilAnswered(): Promise<void> {
  await thread().getByText('writing', { exact: true }).waitFor({ state: 'detached' });
  await expect.poll(() => field().isDisabled()).toBe(false);
}

describe('a branch of a chat', () => {
  it('regenerating an answer starts a branch, and the arrow keys switch branches, even after a reload', async () => {
    await openNewChat('sandbox-echo');
    await say('First words');
    await chooseOption(page, 'Model', 'sandbox-normal');
    await button('Regenerate answer').click();
    await versions('answer').getByText('2 / 2').waitFor();
    await untilAnswered();
    expect(await answers().count()).toBe(1);
    await page.reload();
    await versions('answer').getByText('2 / 2').waitFor();
    await button('Next answer').focus();
    await page.keyboard.press('ArrowLeft');
    await versions('answer').getByText('1 / 2').waitFor();
    await answers().getByText('First words').waitFor();
  });

  it('the up arrow in the empty field edits the last message, and an edited message starts a branch and keeps the previous one', async () => {
    await openNewChat('sandbox-echo');
    await say('One');
    await say('Two');
    await field().press('ArrowUp');
    const edited = page.getByLabel('Edited message');
    expect(await edited.inputValue()).toBe('Two');
    await edited.press('Escape');
    await edited.waitFor({ state: 'detached' });
    await button('Edit message').first().click();
    await edited.fill('Uno');
    await button('Send edited').click();
    await versions('message').getByText('2 / 2').waitFor();
    await untilAnswered();
    expect(await answers().count()).toBe(1);
    await button('Previous message').click();
    await versions('message').getByText('1 / 2').waitFor();
    await expect.poll(() => answers().count()).toBe(2);
    await expectGoodLooks(page, 'chat-branches', everyLook);
  });
});

/** Runs in the browser. `side` is in pixels. */
const paint = (side: number) => `(() => {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = ${side};
  const context = canvas.getContext('2d');
  context.fillStyle = '#0b6b8a';
  context.fillRect(0, 0, ${side} / 2, ${side});
  return canvas.toDataURL('image/png').split(',')[1];
})()`;

describe('images in a chat', () => {
  const attach = async (...sides: number[]) => {
    const files = sides.map(async (side) => ({
      name: `picture-${side}.png`,
      mimeType: 'image/png',
      buffer: Buffer.from(await page.evaluate<string>(paint(side)), 'base64'),
    }));
    await page.locator('input[type=file]').setInputFiles(await Promise.all(files));
  };

  itAtFullSize(
    'chat images are attached, downscaled if large, sent, and shown again after a reload',
    async () => {
      await openNewChat(/^sandbox-vision/);
      await attach(40, 3000);
      const chips = page.getByRole('list', { name: 'Attached images' });
      await chips.getByText('picture-3000.png').getByText('shrunk').waitFor();
      await button('Remove picture-40.png').click();
      await attach(64);
      await expect.poll(() => chips.getByRole('listitem').count()).toBe(2);
      await say('What are these?');
      await answers().getByText('data:image/jpeg;base64').first().waitFor();
      for (const isReloaded of [false, true]) {
        if (isReloaded) await page.reload();
        await expect.poll(() => thread().getByRole('img').count()).toBe(2);
        expect(await thread().getByRole('img').first().getAttribute('alt')).toBe('picture-3000.png');
      }
      const isDrawn = `[...document.querySelectorAll('[aria-label=Messages] img')].every((one) => one.naturalWidth > 0)`;
      await expect.poll(() => page.evaluate(isDrawn)).toBe(true);
    },
  );

  itAtFullSize(
    'chat images remain attached and cannot be sent to models without known image support',
    async () => {
      await openNewChat('sandbox-normal');
      await attach(40);
      await field().fill('What is it?');
      await page.getByText('sandbox-normal does not accept images.').waitFor();
      expect(await button('Send').isDisabled()).toBe(true);
      await page.getByTitle('sandbox-normal does not accept images', { exact: true }).waitFor();
      await chooseOption(page, 'Model', /^sandbox-vision/);
      await expect.poll(() => button('Send').isEnabled()).toBe(true);
      await page.getByRole('list', { name: 'Attached images' }).getByText('picture-40.png').waitFor();
    },
  );
});

const coded =
  'Here:\n\n```ts\nconst tries = 3; // at most\n```\n\n```\nplain\n```\n\n![a](https://hostile.test/a.png)';

describe('an answer', () => {
  it('a chat answer highlights code, has a copy button for each block, and names images without loading them', async () => {
    await openNewChat('sandbox-echo');
    await say(coded);
    await answers()
      .locator('code span', { hasText: /^const$/ })
      .waitFor();
    const readColor = (selector: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('article ${selector}')).color`);
    expect(await readColor('code span')).not.toBe(await readColor('pre'));
    await button('Copy ts').waitFor();
    await button('Copy Code').waitFor();
    await answers().getByText('https://hostile.test/a.png').waitFor();
    expect(await answers().getByRole('img').count()).toBe(0);
    await expectGoodLooks(page, 'chat-code', everyLook);
  });

  itAtFullSize('a chat answer is exported with the name of its model', async () => {
    await openNewChat('sandbox-echo');
    await say('Keep this');
    for (const [name, expected] of [
      ['Export as Markdown', '## sandbox-echo'],
      ['Export as JSON', '"model": "sandbox-echo"'],
    ] as const) {
      await button('Export this chat').click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(/^keep-this\.(md|json)$/);
      expect(await readFile(await download.path(), 'utf8')).toContain(expected);
    }
  });

  itAtFullSize(
    'a streaming chat answer does not scroll while the user reads earlier text, and a button scrolls to the end',
    async () => {
      await openNewChat('sandbox-echo');
      await say('A line to read.\n\n'.repeat(60));
      await chooseOption(page, 'Model', 'sandbox-slow');
      await field().fill('And more');
      await field().press('Enter');
      await thread().getByText('writing', { exact: true }).waitFor();
      await thread().hover();
      await page.mouse.wheel(0, -900);
      const readTop = () => thread().evaluate(({ scrollTop }) => scrollTop);
      await button('Jump to latest').waitFor();
      const top = await readTop();
      expect(top).toBeGreaterThan(0);
      await untilAnswered();
      expect(await readTop()).toBe(top);
      await button('Jump to latest').click();
      await button('Jump to latest').waitFor({ state: 'detached' });
      const readLeft = () =>
        thread().evaluate(
          ({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight,
        );
      await expect.poll(readLeft).toBeLessThan(2);
    },
  );

  itAtFullSize('a chat answer cannot be requested on behalf of another tenant', async () => {
    await openNewChat('sandbox-normal');
    const mark = token.slice(-16);
    await page.evaluate(`sessionStorage.setItem('sluice-acting-tenant', '${mark} 2147483647')`);
    await field().fill('Hello');
    await field().press('Enter');
    await page.getByRole('alert').getByText('in your own tenant').waitFor();
    await expect.poll(() => field().inputValue()).toBe('Hello');
  });
});
