import type { ComparisonResult, GrantableProvider } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { firstRows, listProviders } from './choices.ts';
import { findMerits } from './results.tsx';

const instance = (
  registryId: number,
  providerKey: string,
  fields: Partial<GrantableProvider> = {},
): GrantableProvider => ({
  id: registryId * 10,
  provider_registry_id: registryId,
  provider_key: providerKey,
  provider_name: providerKey.toUpperCase(),
  provider_instance_name: providerKey,
  enabled_models: ['a', 'b'],
  default_model: null,
  is_active: true,
  ...fields,
});

describe('listProviders', () => {
  it('listProviders joins the models of all instances of a provider', () => {
    const listed = listProviders([
      instance(1, 'custom', { provider_instance_name: 'one' }),
      instance(2, 'openai'),
      instance(1, 'custom', { provider_instance_name: 'two', enabled_models: ['b', 'c'] }),
    ]);
    expect(listed.map(({ registryId, label, models }) => [registryId, label, models])).toEqual([
      [1, 'CUSTOM (one, two)', ['a', 'b', 'c']],
      [2, 'OPENAI', ['a', 'b']],
    ]);
  });

  it.each([
    ['the default model of the instance', instance(1, 'openai', { default_model: 'b' }), 'b'],
    [
      'the usual model of the vendor if it is enabled',
      instance(1, 'openai', { enabled_models: ['x', 'gpt-3.5-turbo'] }),
      'gpt-3.5-turbo',
    ],
    ['the first model if the usual one is not enabled', instance(1, 'google'), 'a'],
    [
      'the usual model of OpenAI if none is enabled',
      instance(1, 'openai', { enabled_models: [] }),
      'gpt-3.5-turbo',
    ],
    [
      'the usual model of Anthropic if none is enabled',
      instance(1, 'anthropic', { enabled_models: [] }),
      'claude-3-haiku-20240307',
    ],
    [
      'the usual model of Google if none is enabled',
      instance(1, 'google', { enabled_models: [] }),
      'gemini-pro',
    ],
    [
      'the usual model of Cohere if none is enabled',
      instance(1, 'cohere', { enabled_models: [] }),
      'command-r',
    ],
    [
      'the usual model of Mistral if none is enabled',
      instance(1, 'mistral', { enabled_models: [] }),
      'mistral-small-latest',
    ],
    [
      'the word default for other vendors if none is enabled',
      instance(1, 'groq', { enabled_models: [] }),
      'default',
    ],
  ])('listProviders chooses as the default model %s', (_, one, model) => {
    expect(listProviders([one])[0]?.defaultModel).toBe(model);
  });

  it('firstRows fills two rows, with different models if possible', () => {
    const rows = (instances: GrantableProvider[]) =>
      firstRows(listProviders(instances)).map(({ registryId, model }) => [registryId, model]);
    expect(rows([])).toEqual([
      [null, ''],
      [null, ''],
    ]);
    expect(rows([instance(1, 'groq')])).toEqual([
      [1, 'a'],
      [1, 'b'],
    ]);
    expect(rows([instance(1, 'groq'), instance(2, 'cohere')])).toEqual([
      [1, 'a'],
      [2, 'a'],
    ]);
  });
});

describe('firstRows after earlier comparisons', () => {
  const providers = listProviders([
    instance(1, 'openai'),
    instance(2, 'sandbox', { enabled_models: ['x', 'y'] }),
  ]);
  const answer = (provider_registry_id: number | null, model_name: string | null, status = 'completed') =>
    ({ provider_registry_id, model_name, status }) as ComparisonResult;
  const suggest = (...results: ComparisonResult[]) =>
    firstRows(providers, [{ results }]).map(({ registryId, model }) => [registryId, model]);

  it('firstRows suggests the two models that completed most recently', () => {
    expect(suggest(answer(1, 'a', 'failed'), answer(2, 'y'), answer(2, 'y'), answer(2, 'x'))).toEqual([
      [2, 'y'],
      [2, 'x'],
    ]);
  });

  it.each([
    ['only one answered', [answer(2, 'x'), answer(1, 'a', 'failed')]],
    ['a model is no longer enabled', [answer(2, 'x'), answer(2, 'gone')]],
    ['the models are hidden', [answer(null, null), answer(null, null)]],
  ])('firstRows suggests a model of each provider if %s', (_, results) => {
    expect(suggest(...results)).toEqual([
      [1, 'a'],
      [2, 'x'],
    ]);
  });
});

describe('findMerits', () => {
  const result = (id: string, cost: number | null, response_time_ms: number, status = 'completed') =>
    ({ id, cost, response_time_ms, status }) as ComparisonResult;

  it('findMerits considers completed results only and returns no merit for a tie', () => {
    const merits = findMerits([result('one', 1, 900), result('two', 2, 300), result('bad', 0, 1, 'failed')]);
    expect([merits.get('one'), merits.get('two'), merits.get('bad')]).toEqual([
      ['Cheapest'],
      ['Fastest'],
      undefined,
    ]);
    expect(findMerits([result('one', 1, 300), result('two', null, 300)]).get('one')).toEqual([]);
    expect(findMerits([result('one', 1, 300)]).get('one')).toEqual([]);
  });
});
