import type { LogEntry } from '@sluice/contract';
import { useState } from 'react';

/** Distinct models of all requests loaded so far, so that filtering by one does not remove the other options. */
export function useLoadedModels(logs: readonly LogEntry[] | undefined): readonly string[] {
  const [models, setModels] = useState<readonly string[]>([]);
  const added = new Set(logs?.flatMap(({ model }) => model ?? []).filter((model) => !models.includes(model)));
  if (added.size > 0) setModels([...models, ...added].toSorted());
  return models;
}
