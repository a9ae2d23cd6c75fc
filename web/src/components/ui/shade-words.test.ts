import { expect, it } from 'vitest';
import { shadeWords } from './shaded-text.tsx';

const text = 'Fix the bug before lunch';
const word = (start: number, end: number, weight: number) => ({
  text: text.slice(start, end),
  start,
  end,
  weight,
});

it('words that speak for or against the intent are told apart from the rest, in the order of the text', () => {
  expect(shadeWords(text, [word(19, 24, -0.2), word(0, 3, 0.5), word(8, 11, 0.7)])).toEqual([
    { text: 'Fix', weight: 0.5 },
    { text: ' the ', weight: 0 },
    { text: 'bug', weight: 0.7 },
    { text: ' before ', weight: 0 },
    { text: 'lunch', weight: -0.2 },
  ]);
});

it('words that say little next to the loudest are left alone', () => {
  const stretches = shadeWords(text, [word(0, 3, 0.8), word(4, 7, 0.1), word(19, 24, -0.25)]);
  expect(stretches.filter(({ weight }) => weight !== 0).map((stretch) => stretch.text)).toEqual([
    'Fix',
    'lunch',
  ]);
});

it('nothing of the text is lost or said twice, though words overlap', () => {
  const stretches = shadeWords(text, [word(0, 7, 1), word(4, 11, 1)]);
  expect(stretches.map((stretch) => stretch.text).join('')).toBe(text);
  expect(shadeWords('', [])).toEqual([]);
});
