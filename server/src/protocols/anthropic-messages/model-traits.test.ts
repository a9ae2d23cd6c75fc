import { describe, expect, it } from 'vitest';
import { type ModelTraits, readModelTraits } from './model-traits.ts';

const claude3: ModelTraits = {
  hasOutputFormat: false,
  thinking: 'none',
  topEffort: 'max',
  thinkingOff: 'omit',
  hasSampling: true,
  hasTemperatureWithTopP: true,
  checksSignatures: true,
  hasSystemTurns: false,
};
const claude37: ModelTraits = { ...claude3, thinking: 'budget' };
const claude41: ModelTraits = { ...claude37, hasTemperatureWithTopP: false };
const claude45: ModelTraits = { ...claude41, hasOutputFormat: true };
const claude46: ModelTraits = { ...claude45, thinking: 'adaptive' };
const claude47: ModelTraits = { ...claude46, topEffort: 'xhigh', hasSampling: false };
const claude48: ModelTraits = { ...claude47, hasSystemTurns: true };
const claude5: ModelTraits = { ...claude48, thinkingOff: 'disable' };
const claude55: ModelTraits = { ...claude48, thinkingOff: 'impossible' };

describe('readModelTraits', () => {
  it.each([
    ['claude-2.1', claude3],
    ['claude-instant-1.2', claude3],
    ['claude-3-opus-20240229', claude3],
    ['claude-3-5-sonnet-20241022', claude3],
    ['claude-3-5-haiku-latest', claude3],
    ['claude-3-7-sonnet-20250219', claude37],
    ['claude-sonnet-4-20250514', claude37],
    ['claude-opus-4-0', claude37],
    ['claude-opus-4-1-20250805', claude41],
    ['claude-sonnet-4-5', claude45],
    ['claude-sonnet-4-5-20250929', claude45],
    ['claude-haiku-4-5-20251001', claude45],
    ['claude-opus-4-5@20251101', claude45],
    ['claude-sonnet-4-6', claude46],
    ['claude-opus-4-6-fast', claude46],
    ['claude-opus-4-7', claude47],
    ['claude-opus-4-8', claude48],
    ['claude-opus-5', claude5],
    ['claude-sonnet-5', claude5],
    ['claude-sonnet-5-20260630', claude5],
    ['claude-opus-5-5', claude55],
    ['claude-haiku-5-5', claude55],
    ['claude-fable-5', claude55],
    ['claude-fable-5-1', claude55],
    ['claude-opus-10', claude55],
  ])('readModelTraits returns the traits of the version of %s', (model, traits) => {
    expect(readModelTraits(model)).toEqual(traits);
  });

  it.each([
    ['anthropic.claude-3-5-sonnet-20241022-v2:0', claude3],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', claude45],
    ['anthropic/claude-opus-4.6', claude46],
    ['Claude-Opus-4-8', claude48],
  ])('readModelTraits finds the version in the model name of another host: %s', (model, traits) => {
    expect(readModelTraits(model)).toEqual(traits);
  });

  it('readModelTraits treats a Claude model without a version as the newest', () => {
    expect(readModelTraits('claude-mythos-preview')).toEqual(claude55);
  });

  it.each(['kimi-k2-thinking', 'deepseek-chat', 'glm-4.6', 'MiniMax-M2', 'my-model'])(
    'readModelTraits returns the traits of a compatible model for %s, a model of another vendor',
    (model) => {
      expect(readModelTraits(model)).toEqual({
        ...claude37,
        thinkingOff: 'disable',
        checksSignatures: false,
      });
    },
  );
});

it.each([
  ['no sampling', { sampling: false }, { hasSampling: false }],
  ['no reasoning', { reasoning: false }, { thinking: 'none' }],
  ['adaptive thinking', { reasoning: true, adaptiveThinking: true }, { thinking: 'adaptive' }],
  ['thinking by default', { reasoning: true, reasonsByDefault: true }, { thinkingOff: 'disable' }],
  [
    'thinking always',
    { reasoning: true, reasonsByDefault: true, alwaysThinks: true },
    { thinkingOff: 'impossible' },
  ],
  ['xhigh', { efforts: ['high', 'xhigh', 'max'] }, { topEffort: 'xhigh' }],
  ['no xhigh', { efforts: ['high', 'max'] }, { topEffort: 'max' }],
  [
    'structured output',
    { structuredOutput: true, systemTurns: true },
    { hasOutputFormat: true, hasSystemTurns: true },
  ],
])('readModelTraits prefers data with %s to the traits of the generation', (_, facts, traits) => {
  for (const model of ['our-model', 'claude-3-7-sonnet-latest', 'claude-opus-4-8'])
    expect(readModelTraits(model, facts)).toMatchObject({ ...readModelTraits(model), ...traits });
});

it('readModelTraits returns a thinking budget if only the data says that the model reasons', () => {
  expect(readModelTraits('claude-3-opus', { reasoning: true }).thinking).toBe('budget');
  expect(readModelTraits('claude-opus-4-8', { reasoning: true }).thinking).toBe('adaptive');
});
