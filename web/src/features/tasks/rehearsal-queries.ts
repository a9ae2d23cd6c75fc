import { governanceRoutes, logsRoutes, type Task } from '@sluice/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { createApiClient } from '../../lib/api.ts';

const governanceCalls = createApiClient(governanceRoutes);
const logsCalls = createApiClient(logsRoutes);

/** Unsaved task that prompts are judged against. */
export type Draft = Pick<Task, 'title' | 'description' | 'category'>;

export const promptsMax = 10;
const charactersMax = 2_000;

/** Judgment of a prompt for a draft; the previous one stays while a new one loads. */
export const rehearsalQuery = (text: string, task: Draft) =>
  queryOptions({
    queryKey: ['rehearsal', text, task],
    queryFn: ({ signal }) => governanceCalls.previewGovernance({ body: { text, task } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/** Splits a text with one prompt per line. */
export function readPrompts(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim().slice(0, charactersMax));
  return [...new Set(lines)].filter((line) => line !== '').slice(0, promptsMax);
}

/** Loads the latest prompts of a task, each on one line. */
export async function loadHistory(taskId: number): Promise<string[]> {
  const logs = await logsCalls.listLogs({ query: { task_id: taskId, limit: 50 } });
  const prompts = logs.map(({ prompt }) => (prompt ?? '').replace(/\s+/g, ' '));
  return readPrompts(prompts.join('\n'));
}
