import { describe, expect, it } from 'vitest';
import { suggestLines } from './filters.tsx';

describe('suggestLines', () => {
  it('suggestLines returns all fields for an empty line, then the fields that start with the typed word', () => {
    expect(suggestLines('', [])).toContain('status:');
    expect(suggestLines('timeout co', [])).toEqual(['timeout code:', 'timeout cost>', 'timeout cost<']);
  });

  it('suggestLines returns the values of the typed field', () => {
    expect(suggestLines('status:re', [])).toEqual(['status:refused ']);
    expect(suggestLines('cost>1 model:', ['gpt-5', 'my model'])).toEqual([
      'cost>1 model:gpt-5 ',
      'cost>1 model:"my model" ',
    ]);
  });

  it('suggestLines returns nothing inside quotes', () => {
    expect(suggestLines('"out of ', [])).toEqual([]);
  });
});
