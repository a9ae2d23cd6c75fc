import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Failure } from '../../components/ui/failure.tsx';
import { showError } from '../../components/ui/toasts.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import type { ProviderActions } from './actions.ts';
import styles from './grid.module.css';
import { ProviderGrid } from './grid.tsx';
import { llmProvidersQuery } from './queries.ts';

const loadFailed = 'Failed to load LLM providers';

/** Cards of the tenant's instances, or the error. */
export function ProviderCards({ actions }: { actions: ProviderActions }) {
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
