import { Button } from '@mantine/core';
import type { CurrentUser } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { Failure } from '../../components/ui/failure.tsx';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { showError } from '../../components/ui/toasts.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { loadPart } from '../../lib/load-part.ts';
import { useEverTrue } from '../../lib/use-ever-true.ts';
import { usePreload } from '../../lib/use-preload.ts';
import { useProviderActions } from './actions.ts';
import { ProviderGrid } from './grid.tsx';
import { llmProvidersQuery } from './queries.ts';

const loadFailed = 'Failed to load LLM providers';

/** The instances that answer the tenant's requests. */
export function LlmProvidersScreen({ viewer }: { viewer: CurrentUser }) {
  const answer = useQuery(llmProvidersQuery);
  const { data: providers, error } = answer;
  const actions = useProviderActions(viewer);
  const isAnythingOpened = useEverTrue(actions.isOpen);
  usePreload(loadOverlays);
  useEffect(() => {
    if (error) showError(loadFailed);
  }, [error]);
  const failure = describeFailure(answer, loadFailed);
  return (
    <>
      <PageHeader
        title="LLM Providers"
        subtitle="Where requests are answered, with whose key, and by which models"
        actions={
          <>
            <Button variant="default" onClick={() => actions.open('managed')}>
              Sluice Managed
            </Button>
            <Button onClick={() => actions.open('self')}>Self Managed</Button>
          </>
        }
      />
      {failure && <Failure {...failure} />}
      {(providers || !failure) && (
        <ProviderGrid
          providers={providers}
          actions={actions.rowActions}
          add={<Button onClick={() => actions.open('self')}>Add Provider</Button>}
        />
      )}
      {isAnythingOpened && (
        <Suspense>
          <ProviderOverlays actions={actions} />
        </Suspense>
      )}
    </>
  );
}

/** Apart from the cards, which are to be there first. */
const loadOverlays = () => import('./overlays.tsx');
const ProviderOverlays = lazy(loadPart(async () => ({ default: (await loadOverlays()).ProviderOverlays })));
