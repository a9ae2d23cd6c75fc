import { describe, expect, it } from 'vitest';
import { cutLabel, formatLabel, wholeOfLabel } from './format-label.ts';

describe('a label', () => {
  it.each([
    ['coding', 'Coding'],
    ['off_topic', 'Off topic'],
    ['', ''],
  ])('formatLabel(%s) returns %s', (name, text) => {
    expect(formatLabel(name)).toBe(text);
  });

  it.each([
    ['claude-sonnet-4-5', 15, 'claude-sonnet-4…'],
    ['claude-sonnet-4', 15, 'claude-sonnet-4'],
    ['Zoë', 12, 'Zoë'],
  ])('cutLabel(%s, %d) returns %s', (label, limit, text) => {
    expect(cutLabel(label, limit)).toBe(text);
  });

  it.each([
    ['claude-sonnet-4', 15, ''],
    ['claude-sonnet-4-5', 15, 'claude-sonnet-4-5'],
    ['claude-sonnet-4-20250514', 15, 'claude-sonnet-4-20250514'],
    ['anthropic/claude-sonnet-4-20250514', 15, '…pic/claude-sonnet-4-20250514'],
  ])('wholeOfLabel(%s, %d, 29) returns %s', (label, limit, text) => {
    expect(wholeOfLabel(label, limit, 29)).toBe(text);
  });
});
