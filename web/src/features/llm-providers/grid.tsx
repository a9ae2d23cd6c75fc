import type { LlmProvider } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { Skeleton, SkeletonLines } from '../../components/ui/skeleton.tsx';
import type { ProviderActions } from './actions.ts';
import cardStyles from './card.module.css';
import { ProviderCard } from './card.tsx';
import styles from './grid.module.css';
import { healthQuery } from './queries.ts';

interface ProviderGridProps {
  /** `undefined` while loading. */
  providers: readonly LlmProvider[] | undefined;
  actions: ProviderActions;
  add: ReactNode;
}

/** Grid of the tenant's instances. */
export function ProviderGrid({ providers, actions, add }: ProviderGridProps) {
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
