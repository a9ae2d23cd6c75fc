import type { LogEntry } from '@sluice/contract';
import { useState } from 'react';

/** The distinct models of all requests that were loaded so far, so that choosing one does not take away the others. */
export function useLoadedModels(logs: readonly LogEntry[] | undefined): readonly string[] {
  const [models, setModels] = useState<readonly string[]>([]);
  const added = new Set(logs?.flatMap(({ model }) => model ?? []).filter((model) => !models.includes(model)));
  if (added.size > 0) setModels([...models, ...added].toSorted());
  return models;
}
