import type { ApiKeyStatus } from '@sluice/contract';
import { Badge } from '../../components/ui/badge.tsx';
import { Fact, FactList } from '../../components/ui/fact-list.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { formatLastUsed, formatRelative } from '../../lib/format-age.ts';
import { formatLabel } from '../../lib/format-label.ts';
import { formatFullTime } from '../../lib/format-time.ts';
import { useNow } from '../../lib/use-now.ts';
import { describeKeyState } from './describe-state.ts';
import styles from './panel.module.css';

type Key = NonNullable<ApiKeyStatus['api_key_status']>;

interface ApiKeyFactsProps {
  apiKey: Key;
  /** Previous key, while both are valid. */
  former: ApiKeyStatus['former_key'];
}

export function ApiKeyFacts({ apiKey, former }: ApiKeyFactsProps) {
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
      {former && (
        <Fact name="Former key">
          <code>{former.masked_key}</code> is valid until {formatFullTime(former.expires_at)}
          <span className="quiet">
            {former.last_used_at === null
              ? ' · never used'
              : ` · last used ${formatFullTime(former.last_used_at)}`}
          </span>
        </Fact>
      )}
    </FactList>
  );
}

const soonMs = 3 * 24 * 3_600_000;

/** Expiry time, with the remaining time if it is near. */
function Expiry({ at, nowMs }: { at: string; nowMs: number }) {
  const leftMs = Date.parse(at) - nowMs;
  const isSoon = leftMs > 0 && leftMs <= soonMs;
  return (
    <>
      {formatFullTime(at)}
      {isSoon && <StatusMark kind="warn">{formatRelative(at, nowMs)}</StatusMark>}
    </>
  );
}
