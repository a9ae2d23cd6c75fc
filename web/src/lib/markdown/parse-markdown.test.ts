import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBlocks } from './parse-blocks.ts';
import { parseInlines } from './parse-inlines.ts';

describe('the blocks of a Markdown text', () => {
  it('are headings, paragraphs, lists, quotes, tables, rules and code', () => {
    const text = [
      '# Title',
      'One line',
      'and its next.',
      '- first',
      '  - second',
      '1. third',
      '> said',
      '| a | b |',
      '|---|---|',
      '| 1 | 2 |',
      '---',
      '```ts',
      '# no heading',
      '```',
    ].join('\n');
    expect(parseBlocks(text)).toEqual([
      { kind: 'heading', text: 'Title' },
      { kind: 'paragraph', text: 'One line\nand its next.' },
      {
        kind: 'list',
        items: [
          { mark: '•', depth: 0, text: 'first' },
          { mark: '•', depth: 1, text: 'second' },
          { mark: '1.', depth: 0, text: 'third' },
        ],
      },
      { kind: 'quote', text: 'said' },
      {
        kind: 'table',
        rows: [
          ['a', 'b'],
          ['1', '2'],
        ],
      },
      { kind: 'rule' },
      { kind: 'code', language: 'ts', text: '# no heading' },
    ]);
  });

  it('end with the text, also when code is not closed', () => {
    expect(parseBlocks('```\nlet x')).toEqual([{ kind: 'code', language: '', text: 'let x' }]);
  });
});

it.each(['|a', 'a\n', '\\', '\u202e'])('a text that is made of %j stays as it is', (piece) => {
  const text = piece.repeat(20_000);
  expect(parseBlocks(text)).toEqual([{ kind: 'plain', text }]);
});

it('a long text of words has its form', () => {
  expect(parseBlocks('word '.repeat(20_000))).toMatchObject([{ kind: 'paragraph' }]);
});

describe('a line of a Markdown text', () => {
  it('has code, strong words, and links and images that stay text', () => {
    expect(parseInlines('a `b*c*` **d *e***')).toMatchObject([
      { text: 'a ' },
      { kind: 'code', text: 'b*c*' },
      { text: ' ' },
      { kind: 'strong' },
      { text: '*' },
    ]);
    expect(parseInlines('[x](javascript:1) ![y](https://a.test/p.png)')).toEqual([
      { kind: 'link', text: 'x', address: 'javascript:1' },
      { kind: 'text', text: ' ' },
      { kind: 'image', text: 'y', address: 'https://a.test/p.png' },
    ]);
    expect(parseInlines('<img src=x onerror=1>')).toEqual([{ kind: 'text', text: '<img src=x onerror=1>' }]);
  });
});

it('any text is read, and a hostile one in time', () => {
  const anyText = fc.string({
    unit: fc.constantFrom('`', '*', '[', ']', '(', ')', '!', '|', '\n', '#', ' ', 'a'),
  });
  fc.assert(
    fc.property(anyText, (text) => {
      parseBlocks(text);
      parseInlines(text);
    }),
  );
  const beganAtMs = performance.now();
  for (const piece of ['[', '*', '**a', '`', '![', '[a](', '|', '- - ', '\n', '> ', 'a\n```']) {
    const text = piece.repeat(65_536 / piece.length);
    parseBlocks(text);
    parseInlines(text);
  }
  expect(performance.now() - beganAtMs).toBeLessThan(2000);
});
