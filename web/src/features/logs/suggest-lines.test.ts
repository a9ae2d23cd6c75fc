import { describe, expect, it } from 'vitest';
import { suggestLines } from './suggest-lines.ts';

describe('what is offered for a query line', () => {
  it('is every field before anything is typed, then those that the word begins', () => {
    expect(suggestLines('', [])).toContain('status:');
    expect(suggestLines('timeout co', [])).toEqual(['timeout code:', 'timeout cost>', 'timeout cost<']);
  });

  it('is the values of the field', () => {
    expect(suggestLines('status:re', [])).toEqual(['status:refused ']);
    expect(suggestLines('cost>1 model:', ['gpt-5', 'my model'])).toEqual([
      'cost>1 model:gpt-5 ',
      'cost>1 model:"my model" ',
    ]);
  });

  it('is nothing inside quotes', () => {
    expect(suggestLines('"out of ', [])).toEqual([]);
  });
});
