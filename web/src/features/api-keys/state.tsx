import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { logFailure } from '../../lib/log-failure.ts';
import { ApiKeyFacts } from './facts.tsx';
import styles from './panel.module.css';
import { apiKeyQuery } from './queries.ts';

/** State of a user's API key, or a neutral note if it could not be loaded. */
export function ApiKeyState({ userId }: { userId: number }) {
  const { data: state, error, refetch } = useQuery(apiKeyQuery(userId));
  useEffect(() => {
    if (error) logFailure("The API key's state could not be loaded", error);
  }, [error]);

  if (state?.api_key_status) return <ApiKeyFacts apiKey={state.api_key_status} former={state.former_key} />;
  if (state) return <p className="quiet">No API key</p>;
  if (!error) return <SkeletonLines count={4} />;
  return (
    <div className={`quiet ${styles.unknown}`}>
      <span>The key's state is not known right now.</span>
      <Button variant="default" onClick={() => refetch()}>
        Try again
      </Button>
    </div>
  );
}
