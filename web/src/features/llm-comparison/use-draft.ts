import { comparedModelsMin, createComparisonBody } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type ComparedModel, firstRows, isComplete, listProviders, newRow } from './choices.ts';
import { comparedProvidersQuery } from './queries.ts';

/** State of the comparison form. */
export function useDraft() {
  const answer = useQuery(comparedProvidersQuery);
  const providers = useMemo(() => answer.data && listProviders(answer.data), [answer.data]);
  const [prompt, setPrompt] = useState('');
  const [isBlind, setIsBlind] = useState(false);
  const [chosen, setRows] = useState<readonly ComparedModel[] | null>(null);
  const suggested = useMemo(() => firstRows(providers ?? []), [providers]);
  const rows = chosen ?? suggested;
  const choose = (key: number, change: Partial<ComparedModel>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...change } : row)));
  return {
    answer,
    providers,
    prompt,
    setPrompt,
    isBlind,
    setIsBlind,
    rows,
    chooseProvider: (key: number, registryId: number | null) => {
      const provider = providers?.find((one) => one.registryId === registryId);
      choose(key, { registryId, model: provider?.defaultModel ?? '' });
    },
    chooseModel: (key: number, model: string) => choose(key, { model }),
    add: () => setRows([...rows, newRow()]),
    remove: (key: number) => setRows(rows.filter((row) => row.key !== key)),
    ...judge({ prompt, is_blind: isBlind }, rows),
  };
}

export type Draft = ReturnType<typeof useDraft>;

/** Returns the request body, or the validation message in the server's words. */
function judge(asked: { prompt: string; is_blind: boolean }, rows: readonly ComparedModel[]) {
  const complete = rows.filter(isComplete);
  const body = {
    ...asked,
    provider_models: complete.map(({ registryId, model }) => ({
      provider_registry_id: registryId ?? 0,
      model_name: model,
    })),
  };
  const { error } = createComparisonBody.safeParse(body);
  const isUnfinished = complete.length < rows.length && complete.length >= comparedModelsMin;
  const unfinished = 'Please select a provider and a model in each row, or remove it';
  return { body, problem: error?.issues[0]?.message ?? (isUnfinished ? unfinished : null) };
}
