import { Button } from '@mantine/core';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { type RememberedProvider, readRememberedProvider } from '#lib/sign-in-attempt.ts';
import styles from './provider-buttons.module.css';
import { useStartSignIn } from './provider-calls.ts';

interface ProviderButtonsProps {
  providers: readonly RememberedProvider[];
  redirect: string | null;
}

/** The provider of the last sign-in comes first. */
export function ProviderButtons({ providers, redirect }: ProviderButtonsProps) {
  const start = useStartSignIn(redirect);
  const last = readRememberedProvider();
  const ordered = providers.toSorted(
    (one, other) => Number(other.id === last?.id) - Number(one.id === last?.id),
  );
  const isLeaving = start.isPending || start.isSuccess;
  return (
    <div className={styles.providers}>
      {ordered.map((provider, index) => (
        <Button
          key={provider.id}
          size="md"
          fullWidth
          variant={index === 0 ? 'filled' : 'default'}
          loading={isLeaving && start.variables.id === provider.id}
          disabled={isLeaving && start.variables.id !== provider.id}
          onClick={() => start.mutate(provider)}
        >
          Continue with {provider.name}
        </Button>
      ))}
      <div role="alert" className={styles.problem}>
        {start.isError && (
          <StatusMark kind="bad">{messageOf(start.error, 'The sign-in could not be started')}</StatusMark>
        )}
      </div>
    </div>
  );
}
