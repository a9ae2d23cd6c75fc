import { describe, expect, it } from 'vitest';
import { createModelDirectory, type ProviderInstance } from './resolve-model.ts';

const instance = (id: number, given: Partial<ProviderInstance>): ProviderInstance => ({
  id,
  tenantId: 1,
  name: `instance-${id}`,
  providerKey: 'openai',
  endpoint: null,
  enabledModels: ['gpt-5'],
  aliases: {},
  isDefault: false,
  isActive: true,
  maintenance: null,
  fallbackPosition: null,
  createdAtMs: id,
  ...given,
});

const resolve = (name: string, instances: ProviderInstance[]) =>
  createModelDirectory(instances)
    .resolve(name)
    .map((target) => `${target.instance.id}:${target.model}`);

describe('createModelDirectory', () => {
  it('resolve prefers an exact alias to everything else', () => {
    expect(
      resolve('gpt-5', [instance(1, {}), instance(2, { enabledModels: ['o9'], aliases: { 'gpt-5': 'o9' } })]),
    ).toEqual(['2:o9']);
  });

  it('resolve prefers an instance name to a provider key', () => {
    const instances = [instance(1, {}), instance(2, { name: 'OpenAI', providerKey: 'custom' })];
    expect(resolve('openai/gpt-5', instances)).toEqual(['2:gpt-5']);
    expect(resolve('instance-1/gpt-5', instances)).toEqual(['1:gpt-5']);
  });

  it('resolve maps a bare name to the default instance that enables the model, or else to the oldest instance', () => {
    const instances = [
      instance(1, { enabledModels: ['a', 'b'] }),
      instance(2, { enabledModels: ['a'], isDefault: true }),
    ];
    expect(resolve('a', instances)[0]).toBe('2:a');
    expect(resolve('b', instances)).toEqual(['1:b']);
  });

  it('resolve orders other instances by the fallback order, then by age', () => {
    const instances = [
      instance(1, {}),
      instance(2, { fallbackPosition: 2 }),
      instance(3, { fallbackPosition: 1 }),
      instance(4, { fallbackPosition: 3, isDefault: true }),
      instance(5, {}),
    ];
    expect(resolve('gpt-5', instances)).toEqual(['4:gpt-5', '3:gpt-5', '2:gpt-5', '1:gpt-5', '5:gpt-5']);
  });

  it('resolve reads a model name with a slash as a whole if its prefix is not the name of an instance or provider', () => {
    expect(resolve('meta/llama', [instance(1, { enabledModels: ['meta/llama'] })])).toEqual(['1:meta/llama']);
  });

  it('resolve never returns an inactive instance or a model that is not enabled', () => {
    expect(resolve('gpt-5', [instance(1, { isActive: false })])).toEqual([]);
    expect(resolve('instance-1/other', [instance(1, {})])).toEqual([]);
    expect(resolve('constructor', [instance(1, {})])).toEqual([]);
  });
});
