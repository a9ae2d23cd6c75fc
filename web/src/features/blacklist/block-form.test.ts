import { describe, expect, it } from 'vitest';
import { type BlockValues, blockForm, noBlock } from './add-entry-dialog.tsx';

const filled: BlockValues = { ...noBlock, provider: 'openai', preset_reason: 'Data privacy' };
const problems = (values: Partial<BlockValues>) =>
  Object.fromEntries(
    blockForm
      .safeParse({ ...filled, ...values })
      .error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [],
  );
const bodyOf = (values: Partial<BlockValues>) => blockForm.parse({ ...filled, ...values });

describe('blockForm', () => {
  it('blockForm requires a provider and a reason', () => {
    const missing = 'Provider key and reason are required';
    expect(problems(noBlock)).toEqual({ provider: missing, preset_reason: missing });
    expect(problems({ preset_reason: '' })).toEqual({ preset_reason: missing });
    expect(problems({ provider: 'other', custom_provider: '  ' })).toEqual({ custom_provider: missing });
    expect(problems({ preset_reason: 'other', custom_reason: ' ' })).toEqual({ custom_reason: missing });
  });

  it('blockForm requires a pattern or at least one model for a partial block', () => {
    expect(problems({ block: 'partial', model_pattern: '  ' })).toEqual({
      model_pattern: 'Model pattern is required for partial blocking',
    });
    expect(problems({ block: 'partial', mode: 'select' })).toEqual({
      models: 'Please select at least one model to blacklist',
    });
    expect(problems({ block: 'complete', mode: 'select' })).toEqual({});
  });

  it('blockForm ignores fields that are not shown', () => {
    const models = ['gpt-4o'];
    expect(problems({ block: 'partial', mode: 'select', models, model_pattern: '  ' })).toEqual({});
    expect(problems({ model_pattern: 'a'.repeat(100_000), custom_provider: 'b'.repeat(101) })).toEqual({});
    expect(Object.keys(problems({ block: 'partial', model_pattern: 'a'.repeat(100_000) }))).toEqual([
      'model_pattern',
    ]);
    expect(Object.keys(problems({ provider: 'other', custom_provider: 'b'.repeat(101) }))).toEqual([
      'custom_provider',
    ]);
  });

  it('blockForm trims values and omits an empty description', () => {
    expect(bodyOf({ block: 'partial', model_pattern: ' gpt-4* ', description: '  ' })).toEqual({
      provider_key: 'openai',
      model_pattern: 'gpt-4*',
      reason: 'Data privacy',
    });
    const own = {
      provider: 'other',
      custom_provider: ' acme ',
      preset_reason: 'other',
      custom_reason: ' Ours ',
    };
    expect(bodyOf({ ...own, description: ' See the wiki ' })).toEqual({
      provider_key: 'acme',
      reason: 'Ours',
      description: 'See the wiki',
    });
  });

  it('blockForm sends one model by name and several models in braces', () => {
    const chosen = (models: string[]) => bodyOf({ block: 'partial', mode: 'select', models }).model_pattern;
    expect(chosen(['gpt-4o'])).toBe('gpt-4o');
    expect(chosen(['gpt-4o', 'o1'])).toBe('{gpt-4o,o1}');
  });
});
