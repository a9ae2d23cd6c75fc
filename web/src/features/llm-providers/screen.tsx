import { Button } from '@mantine/core';
import type { CurrentUser, LlmProvider } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useTableState } from '#components/data-table/use-table-state.ts';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { PageTabs } from '#components/ui/page-tabs.tsx';
import { Skeleton, SkeletonLines } from '#components/ui/skeleton.tsx';
import { showError } from '#components/ui/toasts.tsx';
import { ProviderRegistryList } from '#features/provider-registry/index.ts';
import { describeFailure } from '#lib/describe-failure.ts';
import { lazyFile, lazyPart, useEverTrue, usePreload } from '#lib/lazy-part.tsx';
import { type ProviderActions, useProviderActions } from './actions.ts';
import cardStyles from './card.module.css';
import { ProviderCard } from './card.tsx';
import styles from './grid.module.css';
import { healthQuery, llmProvidersQuery } from './queries.ts';
import { llmProvidersSearch } from './search.ts';

interface ProviderGridProps {
  providers: readonly LlmProvider[] | undefined;
  actions: ProviderActions;
  add: ReactNode;
}

function ProviderGrid({ providers, actions, add }: ProviderGridProps) {
  const { data: health } = useQuery(healthQuery);
  if (providers === undefined) return <LoadingGrid />;
  if (providers.length === 0) {
    return (
      <EmptyState title="No LLM Providers" action={add}>
        Add a provider to send requests to its models.
      </EmptyState>
    );
  }
  return (
    <ul className={styles.grid} aria-label="LLM Providers">
      {providers.map((provider) => (
        <li key={provider.id} className={styles.cell}>
          <ProviderCard
            provider={provider}
            health={health?.find(({ llm_provider_id }) => llm_provider_id === provider.id)}
            actions={actions}
          />
        </li>
      ))}
    </ul>
  );
}

const placeholders = ['first', 'second', 'third'];

function LoadingGrid() {
  return (
    <div role="status" aria-busy="true">
      <p className={styles.loading}>Loading LLM providers...</p>
      <div className={styles.grid} aria-hidden="true">
        {placeholders.map((place) => (
          <div key={place} className={cardStyles.card}>
            <Skeleton width="55%" height="1.25rem" />
            <SkeletonLines count={4} />
          </div>
        ))}
      </div>
    </div>
  );
}

const loadFailed = 'Failed to load LLM providers';

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
            Fallback order
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

/** Search parameters to clear when the tab changes, because filters apply to a single tab. */
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

/** Icon of the add buttons, because their specified texts only name whose key is used. */
const addMark = <Plus size={14} strokeWidth={1.5} aria-hidden />;

export function LlmProvidersScreen({ viewer }: { viewer: CurrentUser }) {
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
        subtitle="Providers that serve requests, with their keys and models"
        actions={
          <>
            <Button
              variant="default"
              leftSection={addMark}
              title="Add a provider with Sluice's own key, paid with credits"
              onClick={() => actions.open('managed')}
            >
              Sluice Managed
            </Button>
            <Button
              leftSection={addMark}
              title="Add a provider with your own key"
              onClick={() => actions.open('self')}
            >
              Self Managed
            </Button>
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
        {tab === 'registry' && <ProviderRegistryList state={state} fallback={<SkeletonLines count={6} />} />}
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

/** Loads the dialogs separately, so that the cards appear first. */
const loadOverlays = lazyFile(() => import('./overlays.tsx'));
const ProviderOverlays = lazyPart(loadOverlays, 'ProviderOverlays');
const ModelCatalogue = lazyPart(
  () => import('./catalogue.tsx'),
  'ModelCatalogue',
  <SkeletonLines count={6} />,
);
