import type { UserProviders } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Badge } from '#components/ui/badge.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { ProviderName } from '#components/ui/provider-name.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { StatStrip } from '#components/ui/stat-strip.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { describeModels } from './columns.tsx';
import { userProvidersQuery } from './queries.ts';
import styles from './user-providers-dialog.module.css';

interface UserProvidersDialogProps {
  userId: number;
  userName: string;
  isOpen: boolean;
  onClose: () => void;
}

export function UserProvidersDialog({ userId, userName, isOpen, onClose }: UserProvidersDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`User Provider Summary: ${userName}`} size="lg">
      <Summary userId={userId} />
    </Dialog>
  );
}

function Summary({ userId }: { userId: number }) {
  const answer = useQuery(userProvidersQuery(userId));
  const { data } = answer;
  const failure = describeFailure(answer, 'Failed to fetch user provider summary');
  if (failure && !data) return <Failure {...failure} />;
  const countOf = (source: 'direct' | 'team') =>
    data?.providers.filter(({ access_source }) => access_source === source).length;
  return (
    <div className={styles.summary}>
      <StatStrip
        label="Access statistics"
        stats={[
          { label: 'Total Providers', value: data?.total_providers },
          { label: 'Total Models', value: data?.total_models },
          { label: 'Direct Access', value: countOf('direct') },
          { label: 'Team Access', value: countOf('team') },
        ]}
      />
      {data ? (
        <Providers providers={data.providers} isGrantedByRole={data.is_granted_by_role} />
      ) : (
        <SkeletonLines count={6} />
      )}
    </div>
  );
}

type Granted = UserProviders['providers'];

const keyOf = ({ llm_provider_id, access_source, team_name }: Granted[number]) =>
  `${llm_provider_id}-${access_source}-${team_name}`;

function Providers({ providers, isGrantedByRole }: { providers: Granted; isGrantedByRole: boolean }) {
  if (providers.length === 0)
    return <EmptyState title="No access">No models are granted, directly or through a team.</EmptyState>;
  return (
    <>
      <ul className={styles.cards} aria-label="Providers">
        {providers.map((provider) => (
          <li key={keyOf(provider)} className={styles.card}>
            <div className={styles.head}>
              <strong className={styles.instance}>{provider.provider_instance_name}</strong>
              <SourceBadge provider={provider} />
            </div>
            <ProviderName providerKey={provider.provider_key} />
            <ul className={styles.models} aria-label={`Models of ${provider.provider_instance_name}`}>
              {provider.allowed_models.map((model) => (
                <li key={model}>
                  <code>{model}</code>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <section aria-labelledby="access-breakdown">
        <h3 id="access-breakdown">Access breakdown</h3>
        <ul className={styles.breakdown}>
          {providers.map((provider) => (
            <li key={keyOf(provider)}>
              <span className={styles.instance}>{provider.provider_instance_name}</span>
              <span className="quiet">{describeSource(provider, isGrantedByRole)}</span>
              <span className="num">{describeModels(provider.allowed_models.length)}</span>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

function describeSource({ access_source, team_name }: Granted[number], isGrantedByRole: boolean): string {
  if (access_source === 'team') return `through ${team_name}`;
  return isGrantedByRole ? 'as an administrator' : 'granted directly';
}

function SourceBadge({ provider: { access_source } }: { provider: Granted[number] }) {
  return access_source === 'direct' ? <Badge tone="accent">Direct</Badge> : <Badge>Team</Badge>;
}
