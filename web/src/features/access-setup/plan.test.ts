import type { GrantableProvider, UserProviders } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { type AccessChoices, findRest, modelToTry } from './plan.ts';

const instance = (id: number, default_model: string | null) => ({ id, default_model }) as GrantableProvider; // safe because only these fields are read
const permit = (id: number, provider_key: string, ...allowed_models: string[]) =>
  ({ llm_provider_id: id, provider_key, allowed_models }) as UserProviders['providers'][number]; // safe because only these fields are read

const choices: AccessChoices = {
  tasks: [],
  teams: [],
  providers: [instance(1, 'sandbox-normal'), instance(2, 'own-default'), instance(3, null)],
  hasKey: false,
};

describe('modelToTry', () => {
  it.each([
    ["a provider's default model", [permit(2, 'custom', 'other', 'own-default')], 'own-default'],
    [
      'another model if the default model is not permitted',
      [permit(1, 'sandbox', 'sandbox-echo')],
      'sandbox-echo',
    ],
    ['the first model of a provider without a default', [permit(3, 'openai', 'gpt-5', 'gpt-4o')], 'gpt-5'],
    [
      'a model of another provider instead of the sandbox',
      [permit(1, 'sandbox', 'sandbox-normal'), permit(3, 'openai', 'gpt-5')],
      'gpt-5',
    ],
    ['null if no model is permitted', [], null],
  ])('modelToTry returns %s', (_case, permitted, expected) => {
    expect(modelToTry(permitted, choices)).toBe(expected);
  });
});

it('findRest lists what a user still needs, given the models and the assigned task of the user', () => {
  const fields = { task: '', models: 'team:1', hasKey: true };
  expect(findRest({ missing: ['task', 'models'] }, fields, null)).toEqual(['task', 'models']);
  expect(findRest({ missing: ['task', 'models'] }, { ...fields, task: 'api-access' }, 'gpt-5')).toEqual([]);
  expect(findRest({ missing: [] }, fields, 'gpt-5')).toEqual([]);
});
