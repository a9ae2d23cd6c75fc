import { Button } from '@mantine/core';
import type { ApiKeyStatus } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { Fact, FactList } from '#components/ui/fact-list.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { type StatusKind, StatusMark } from '#components/ui/status-mark.tsx';
import { logFailure } from '#lib/describe-failure.ts';
import { formatLabel } from '#lib/format-label.ts';
import { formatUsd } from '#lib/format-money.ts';
import { formatFullTime, formatLastUsed, formatRelative } from '#lib/format-time.ts';
import { useNow } from '#lib/use-now.ts';
import styles from './panel.module.css';
import { apiKeyQuery } from './queries.ts';

const states = {
  revoked: { word: 'Revoked', kind: 'bad' },
  expired: { word: 'Expired', kind: 'warn' },
  active: { word: 'Active', kind: 'ok' },
} as const satisfies Record<string, { word: string; kind: StatusKind }>;

/** `Revoked` takes precedence over `Expired`. */
export function describeKeyState({ is_active, is_expired }: Pick<Key, 'is_active' | 'is_expired'>) {
  if (!is_active) return states.revoked;
  return is_expired ? states.expired : states.active;
}

type Key = NonNullable<ApiKeyStatus['api_key_status']>;

interface ApiKeyFactsProps {
  apiKey: Key;
  /** Key that remains valid next to the new key during the overlap. */
  former: ApiKeyStatus['former_key'];
}

function ApiKeyFacts({ apiKey, former }: ApiKeyFactsProps) {
  const nowMs = useNow();
  const { word, kind } = describeKeyState(apiKey);
  return (
    <FactList>
      <Fact name="Status">
        <StatusMark kind={kind}>{word}</StatusMark>
      </Fact>
      <Fact name="Name">{apiKey.name}</Fact>
      <Fact name="Key">
        <code>{apiKey.masked_key}</code>
      </Fact>
      <Fact name="Scopes">
        <span className={styles.scopes}>
          {apiKey.scopes.map((scope) => (
            <Badge key={scope}>{formatLabel(scope)}</Badge>
          ))}
        </span>
      </Fact>
      <Fact name="Created">{formatFullTime(apiKey.created_at)}</Fact>
      <Fact name="Last used">
        <span title={apiKey.last_used_at === null ? undefined : formatFullTime(apiKey.last_used_at)}>
          {formatLastUsed(apiKey.last_used_at, nowMs)}
        </span>
      </Fact>
      <Fact name="Expires">
        {apiKey.expires_at === null ? 'Never' : <Expiry at={apiKey.expires_at} nowMs={nowMs} />}
      </Fact>
      <Fact name="Cost">
        <Link to="/admin/logs" search={{ apiKey: apiKey.id }}>
          {formatUsd(apiKey.spend_usd_today)} today · {formatUsd(apiKey.spend_usd_month)} this month ·{' '}
          {formatUsd(apiKey.spend_usd_last_month)} last month
        </Link>
      </Fact>
      <Fact name="Usage">
        <Link to="/admin/analytics" search={{ key: apiKey.id }}>
          Show in Analytics
        </Link>
      </Fact>
      {former && <FormerKeyFact former={former} />}
    </FactList>
  );
}

function FormerKeyFact({ former }: { former: NonNullable<ApiKeyStatus['former_key']> }) {
  return (
    <Fact name="Previous key">
      <code>{former.masked_key}</code> is valid until {formatFullTime(former.expires_at)}
      <span className="quiet">
        {former.last_used_at === null
          ? ' · never used'
          : ` · last used ${formatFullTime(former.last_used_at)}`}
      </span>
    </Fact>
  );
}

const soonMs = 3 * 24 * 3_600_000;

/** Adds the remaining time if the expiry is near. */
function Expiry({ at, nowMs }: { at: string; nowMs: number }) {
  const leftMs = Date.parse(at) - nowMs;
  const isSoon = leftMs > 0 && leftMs <= soonMs;
  return (
    <span className={styles.expiry}>
      {formatFullTime(at)}
      {isSoon && <StatusMark kind="warn">{formatRelative(at, nowMs)}</StatusMark>}
    </span>
  );
}

/** Shows a neutral note if the state could not be loaded. */
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
      <span>The state of the key is currently unknown.</span>
      <Button variant="default" onClick={() => refetch()}>
        Try Again
      </Button>
    </div>
  );
}
