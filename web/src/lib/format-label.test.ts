import { describe, expect, it } from 'vitest';
import { cutLabel, formatLabel, tailOfLabel } from './format-label.ts';

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
    ['claude-sonnet-4-5', 15, '…sonnet-4-5'],
    ['claude-sonnet-4-20250514', 15, '…4-20250514'],
    ['Christopher Alexander', 15, '…Alexander'],
    ['a'.repeat(20), 15, 'a'.repeat(20)],
  ])('tailOfLabel(%s, %d) returns %s', (label, limit, text) => {
    expect(tailOfLabel(label, limit)).toBe(text);
  });
});
