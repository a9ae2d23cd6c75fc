import { Button } from '@mantine/core';
import type { CurrentUser } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { type TableState, useTableState } from '../../components/data-table/use-table-state.ts';
import { Failure } from '../../components/ui/failure.tsx';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { PageTabs } from '../../components/ui/page-tabs.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { showError } from '../../components/ui/toasts.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { lazyFile, lazyPart } from '../../lib/lazy-part.tsx';
import { useEverTrue } from '../../lib/use-ever-true.ts';
import { usePreload } from '../../lib/use-preload.ts';
import { type ProviderActions, useProviderActions } from './actions.ts';
import styles from './grid.module.css';
import { ProviderGrid } from './grid.tsx';
import { llmProvidersQuery } from './queries.ts';
import { type LlmProvidersSearch, llmProvidersSearch } from './search.ts';

const loadFailed = 'Failed to load LLM providers';

/** Cards of the tenant's instances, or the error. */
function ProviderCards({ actions }: { actions: ProviderActions }) {
  const answer = useQuery(llmProvidersQuery);
  const { data: providers, error } = answer;
  useEffect(() => {
    if (error) showError(loadFailed);
  }, [error]);
  const failure = describeFailure(answer, loadFailed);
  return (
    <>
      {failure && <Failure {...failure} />}
      {providers && providers.length > 1 && (
        <div className={styles.tools}>
          <Button variant="default" onClick={() => actions.open('order')}>
            Fallback Order
          </Button>
        </div>
      )}
      {(providers || !failure) && (
        <ProviderGrid
          providers={providers}
          actions={actions}
          add={<Button onClick={() => actions.open('self')}>Add Provider</Button>}
        />
      )}
    </>
  );
}

/** Filters of one tab do not apply to the others. */
const elsewhere = {
  filter: undefined,
  sort: undefined,
  open: undefined,
  page: undefined,
  hide: undefined,
  show: undefined,
  order: undefined,
  scope: undefined,
};

interface LlmProvidersScreenProps {
  viewer: CurrentUser;
  /** Registry list, passed in by the page because it belongs to another feature. */
  registry: (state: TableState<LlmProvidersSearch>) => ReactNode;
}

/** Providers page: instances, models and the registry. */
export function LlmProvidersScreen({ viewer, registry }: LlmProvidersScreenProps) {
  const state = useTableState(llmProvidersSearch);
  const actions = useProviderActions(viewer);
  const isAnythingOpened = useEverTrue(actions.isOpen);
  usePreload(loadOverlays);
  const tabs = listTabs(actions.isOperator);
  const tab = tabs.find(({ value }) => value === state.search.tab)?.value ?? 'providers';
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
      <PageTabs
        label="LLM Providers"
        tabs={tabs}
        chosen={tab}
        onChoose={(chosen) =>
          state.change({ ...elsewhere, tab: chosen === 'providers' ? undefined : chosen })
        }
      >
        {tab === 'providers' && <ProviderCards actions={actions} />}
        {tab === 'models' && <ModelCatalogue state={state} />}
        {tab === 'registry' && registry(state)}
      </PageTabs>
      {isAnythingOpened && <ProviderOverlays actions={actions} />}
    </>
  );
}

function listTabs(isOperator: boolean) {
  return [
    { value: 'providers', label: 'Providers' } as const,
    { value: 'models', label: 'Models' } as const,
    ...(isOperator ? [{ value: 'registry', label: 'Registry' } as const] : []),
  ];
}

/** Loaded separately, so that the cards appear first. */
const loadOverlays = lazyFile(() => import('./overlays.tsx'));
const ProviderOverlays = lazyPart(loadOverlays, 'ProviderOverlays');
const ModelCatalogue = lazyPart(
  () => import('./catalogue.tsx'),
  'ModelCatalogue',
  <SkeletonLines count={6} />,
);
