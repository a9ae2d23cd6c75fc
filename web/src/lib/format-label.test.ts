import { describe, expect, it } from 'vitest';
import { cutLabel, formatLabel } from './format-label.ts';

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
});
