import { expect, it } from 'vitest';
import { shadeWords } from './shaded-text.tsx';

const text = 'Fix the bug before lunch';
const word = (start: number, end: number, weight: number) => ({
  text: text.slice(start, end),
  start,
  end,
  weight,
});

it('shadeWords splits the text into weighted words and other text, in order', () => {
  expect(shadeWords(text, [word(19, 24, -0.2), word(0, 3, 0.5), word(8, 11, 0.7)])).toEqual([
    { text: 'Fix', weight: 0.5 },
    { text: ' the ', weight: 0 },
    { text: 'bug', weight: 0.7 },
    { text: ' before ', weight: 0 },
    { text: 'lunch', weight: -0.2 },
  ]);
});

it('shadeWords ignores words with a small weight', () => {
  const stretches = shadeWords(text, [word(0, 3, 0.8), word(4, 7, 0.1), word(19, 24, -0.25)]);
  expect(stretches.filter(({ weight }) => weight !== 0).map((stretch) => stretch.text)).toEqual([
    'Fix',
    'lunch',
  ]);
});

it('shadeWords neither loses nor repeats text if words overlap', () => {
  const stretches = shadeWords(text, [word(0, 7, 1), word(4, 11, 1)]);
  expect(stretches.map((stretch) => stretch.text).join('')).toBe(text);
  expect(shadeWords('', [])).toEqual([]);
});
