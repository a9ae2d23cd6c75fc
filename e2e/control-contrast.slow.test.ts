import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { itSampled } from '../server/test/load/sample.ts';
import { page, startConsole, token, visitAs } from './console.ts';

startConsole({ SLUICE_SIGNUP: 'open', SLUICE_DEMO: '1' });

const leastContrast = 3;
const marginPx = 6;

interface Screen {
  path: string;
  isPublic?: boolean;
  open?: (page: Page) => Promise<unknown>;
}

const opening = (name: string) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).first().click();

/** The screens contain every kind of box: checkbox, radio button and switch, native and styled. */
const screens: Record<string, Screen> = {
  'the rows of a list': { path: '/admin/users' },
  'a dialog': { path: '/admin/users', open: opening('+ Create User') },
  filters: { path: '/admin/tasks' },
  'the columns of a list': { path: '/admin/users', open: opening('Columns') },
  'a checklist': { path: '/admin/llm-providers', open: opening('Self Managed') },
  settings: { path: '/admin/settings' },
  cards: { path: '/admin/llm-providers' },
  'a comparison': { path: '/admin/llm-comparison' },
  'the plans of the signup': { path: '/signup', isPublic: true },
};

/** For a styled switch, returns the track instead of the hidden input. */
const boxesIn = (place: Locator) =>
  place
    .locator(
      'input[type=checkbox]:not(:checked, :disabled, :indeterminate, .mantine-Switch-input), input[type=radio]:not(:checked, :disabled), .mantine-Switch-input:not(:checked, :disabled) + .mantine-Switch-track',
    )
    .filter({ visible: true });

describe.each(['light', 'dark'] as const)('boxes, %s', (colorScheme) => {
  itSampled(5, Number(colorScheme === 'dark')).each(Object.entries(screens))(
    'unchecked boxes in %s have a contrast of at least 3:1 to their surroundings',
    async (_, { path, isPublic, open }) => {
      await visitAs(isPublic ? null : token, { viewport: { width: 1280, height: 1200 }, colorScheme });
      await page.goto(path);
      await page.locator('h1').first().waitFor();
      await open?.(page);
      const boxes = boxesIn(open ? page.getByRole('dialog') : page.locator('body'));
      await boxes.first().waitFor();
      // Cards move while their details load, and a screenshot would then miss the box.
      await page.waitForLoadState('networkidle');
      await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
      const contrasts: Record<string, number> = {};
      for (const box of await boxes.all()) {
        const size = await box.boundingBox();
        // Skips hidden inputs, which are as small as a pixel or as large as their label.
        if (!size || size.width < 12 || size.height > 32 || (await isTransparent(box))) continue;
        contrasts[await nameOf(box)] = await measureContrast(size);
        if (Object.keys(contrasts).length >= 6) break;
      }
      expect(Object.keys(contrasts).length).toBeGreaterThan(0);
      expect(Object.entries(contrasts).filter(([, contrast]) => contrast < leastContrast)).toEqual([]);
    },
  );
});

const isTransparent = (box: Locator) =>
  box.evaluate((element) => !element.checkVisibility({ opacityProperty: true }));
const nameOf = (box: Locator) =>
  box.evaluate((element) => `${element.ariaLabel ?? element.parentElement?.textContent} ${element.id}`);

/** Returns the lowest contrast of a box edge with the surface around it. */
async function measureContrast(box: {
  x: number;
  y: number;
  width: number;
  height: number;
}): Promise<number> {
  const clip = {
    x: Math.round(box.x) - marginPx,
    y: Math.round(box.y) - marginPx,
    width: Math.round(box.width) + 2 * marginPx,
    height: Math.round(box.height) + 2 * marginPx,
  };
  const picture = await page.screenshot({ clip });
  return page.evaluate<number>(`(${readContrast})('${picture.toString('base64')}')`);
}

/** Runs in the browser: returns the contrast that `measureContrast` reports. */
const readContrast = `async (png) => {
  const bitmap = await createImageBitmap(new Blob([Uint8Array.fromBase64(png)], { type: 'image/png' }));
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext('2d');
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const luminanceAt = (x, y) => {
    const [red, green, blue] = [0, 1, 2].map((channel) => linear(data[4 * (y * width + x) + channel] / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const around = luminanceAt(1, 1);
  const contrastAt = (x, y) => {
    const here = luminanceAt(x, y);
    return (Math.max(here, around) + 0.05) / (Math.min(here, around) + 0.05);
  };
  // An edge is one or two pixels thick and may be drawn half a pixel off.
  const depths = [-1, 0, 1, 2].map((depth) => ${marginPx} + depth);
  const [middleX, middleY] = [Math.floor(width / 2), Math.floor(height / 2)];
  const edges = [
    depths.map((depth) => contrastAt(depth, middleY)),
    depths.map((depth) => contrastAt(width - 1 - depth, middleY)),
    depths.map((depth) => contrastAt(middleX, depth)),
    depths.map((depth) => contrastAt(middleX, height - 1 - depth)),
  ];
  return Math.min(...edges.map((edge) => Math.max(...edge)));
}`;
