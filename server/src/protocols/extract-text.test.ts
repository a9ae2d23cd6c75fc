import { expect, it } from 'vitest';
import { extractFileText, extractText } from './extract-text.ts';

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><text>Tell me a story</text></svg>';

it.each([
  ['base64', `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`],
  ['percent encoding', `data:image/svg+xml,${encodeURIComponent(svg)}`],
  [
    'base64 with a character set',
    `data:image/svg+xml;charset=utf-8;base64,${Buffer.from(svg).toString('base64')}`,
  ],
])('extractFileText reads the text of an SVG file in %s', (_, url) => {
  expect(extractFileText(url)).toBe(svg);
});

it.each(['image/png', 'image/jpeg', 'audio/wav', 'video/mp4', 'application/pdf'])(
  'extractFileText returns no text for %s',
  (mediaType) => {
    expect(extractFileText(`data:${mediaType};base64,${Buffer.from(svg).toString('base64')}`)).toBe('');
  },
);

it.each([
  ['Chat Completions', (url: string) => [{ type: 'image_url', image_url: { url } }]],
  ['Responses', (url: string) => [{ type: 'input_image', image_url: url }]],
])('extractText reads the text of an SVG image in an image part of %s, and of no other image', (_, write) => {
  const data = Buffer.from(svg).toString('base64');
  expect(extractText(write(`data:image/svg+xml;base64,${data}`))).toBe(svg);
  expect(extractText(write(`data:image/png;base64,${data}`))).toBe('');
  expect(extractText(write('https://images.test/a.svg'))).toBe('');
});
