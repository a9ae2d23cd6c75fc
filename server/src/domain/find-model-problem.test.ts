import { expect, it } from 'vitest';
import { findModelProblem } from './find-model-problem.ts';

const enabledModels = ['gpt-5', 'gpt-5-mini'];

it('findModelProblem accepts a default and aliases that refer to enabled models', () => {
  expect(findModelProblem({ enabledModels, defaultModel: 'gpt-5', aliases: { best: 'gpt-5' } })).toBeNull();
  expect(findModelProblem({ enabledModels: [], defaultModel: null, aliases: {} })).toBeNull();
});

it('findModelProblem reports a default that is not enabled', () => {
  expect(findModelProblem({ enabledModels, defaultModel: 'gpt-4', aliases: {} })).toMatchObject({
    field: 'default_model',
  });
});

it('findModelProblem reports an alias for a model that is not enabled, even if the model has the name of an inherited property', () => {
  const astray = findModelProblem({ enabledModels, defaultModel: null, aliases: { best: 'toString' } });
  expect(astray).toEqual({
    field: 'model_aliases',
    problem: "'best' is an alias of 'toString', which is not enabled",
  });
});
