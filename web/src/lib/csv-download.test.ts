import { describe, expect, it } from 'vitest';
import { nameCsvFile } from './download-file.ts';

describe("a CSV file's name", () => {
  it('nameCsvFile contains product, noun and day', () => {
    expect(nameCsvFile('logs', new Date(2026, 0, 5, 23, 59))).toBe('sluice-logs-2026-01-05.csv');
  });
});
