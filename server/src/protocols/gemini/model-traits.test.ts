import { describe, expect, it } from 'vitest';
import { readModelTraits } from './model-traits.ts';

describe('readModelTraits', () => {
  it.each([
    ['gemini-1.5-flash', 'none', false],
    ['gemini-2.0-flash', 'none', false],
    ['gemini-2.0-flash-lite-001', 'none', false],
    ['gemini-2.0-flash-thinking-exp', 'budget', false],
    ['gemini-2.5-pro-preview-03-25', 'budget', false],
    ['gemini-2.5-flash-lite', 'budget', false],
    ['models/gemini-2.5-flash', 'budget', false],
    ['google/gemini-2.5-flash', 'budget', false],
    ['gemini-3-pro-preview', 'level', true],
    ['gemini-3.1-flash-lite', 'level', true],
    ['GEMINI-3-FLASH', 'level', true],
    ['gemini-10-pro', 'level', true],
    ['gemini-flash-latest', 'budget', true],
    ['gemini-pro-latest', 'budget', true],
    ['gemma-3-27b-it', 'none', false],
    ['text-bison', 'none', false],
    ['', 'none', false],
  ])('readModelTraits returns the thinking and generation of %s', (model, kind, isThirdGeneration) => {
    expect(readModelTraits(model)).toMatchObject({ thinking: { kind }, isThirdGeneration });
  });

  it.each([
    ['gemini-2.5-pro', { tokensMin: 128, tokensMax: 32_768, canBeOff: false }],
    ['gemini-2.5-flash', { tokensMin: 1, tokensMax: 24_576, canBeOff: true }],
    ['gemini-2.5-flash-lite', { tokensMin: 512, tokensMax: 24_576, canBeOff: true }],
  ])('readModelTraits returns the budget limits of %s', (model, bounds) => {
    expect(readModelTraits(model).thinking).toMatchObject(bounds);
  });

  it.each([
    ['gemini-3-pro-preview', ['low', 'high']],
    ['gemini-3.1-pro-preview', ['low', 'medium', 'high']],
    ['gemini-3-flash-preview', ['minimal', 'low', 'medium', 'high']],
  ])('readModelTraits returns the thinking levels of %s', (model, levels) => {
    expect(readModelTraits(model).thinking).toMatchObject({ levels });
  });

  it.each([
    ['gemini-2.5-flash', true],
    ['gemma-3-27b-it', false],
    ['models/gemma-2-9b', false],
    ['gemma-4-31b', true],
  ])(
    'readModelTraits detects whether %s supports a system instruction: %s',
    (model, hasSystemInstruction) => {
      expect(readModelTraits(model)).toMatchObject({ hasSystemInstruction });
    },
  );
});
