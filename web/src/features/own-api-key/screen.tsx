import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { OwnApiKey } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { CopyIcon } from '../../components/ui/action-icons.ts';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { Fact, FactList } from '../../components/ui/fact-list.tsx';
import { Failure } from '../../components/ui/failure.tsx';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { type StatusKind, StatusMark } from '../../components/ui/status-mark.tsx';
import { showMessage, showSuccess } from '../../components/ui/toasts.tsx';
import { copyText } from '../../lib/copy-text.ts';
import { describeFailure } from '../../lib/describe-failure.ts';
import { ownDay } from '../../lib/format-day.ts';
import { formatDay } from '../../lib/format-time.ts';
import { ownApiKeyQuery } from '../../lib/own-api-key.ts';
import { CallSection } from './call-section.tsx';
import styles from './screen.module.css';

const dayMs = 24 * 3_600_000;
const daysMax = 30;

/** Returns `Today`, `Yesterday`, `12 days ago` below 30 days, else the date, in the user's time zone. */
export function formatLastUsed(lastUsedAt: string | null, nowMs: number): string {
  if (lastUsedAt === null) return 'Never';
  const days = (startOfDay(nowMs) - startOfDay(Date.parse(lastUsedAt))) / dayMs;
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return days < daysMax ? `${days} days ago` : formatDay(lastUsedAt);
}

const startOfDay = (instantMs: number): number => Date.parse(ownDay(instantMs));

/** The user's API key, read-only: administrators create and change keys. */
export function OwnApiKeyScreen() {
  useDocumentTitle('API Keys · Sluice');
  const answer = useQuery(ownApiKeyQuery);
  const failure = describeFailure(answer, 'Your API key could not be loaded');
  return (
    <>
      <PageHeader title="API Keys" subtitle="Your key for requests to the gateway" />
      {failure && <Failure {...failure} />}
      {!failure && answer.data === undefined && <SkeletonLines count={4} />}
      {answer.data === null && (
        <EmptyState title="No API Key">Ask your administrator to create an API key for you.</EmptyState>
      )}
      {answer.data && <KeyPanel apiKey={answer.data} />}
      {answer.data !== undefined && <CallSection hasKey={answer.data !== null} />}
    </>
  );
}

function KeyPanel({ apiKey }: { apiKey: OwnApiKey }) {
  const { kind, text } = stateOf(apiKey);
  return (
    <section className={styles.panel} aria-label="API key">
      <div className={styles.head}>
        <h2>{apiKey.name}</h2>
        <StatusMark kind={kind}>{text}</StatusMark>
      </div>
      <div className={styles.key}>
        <code>{apiKey.masked_key}</code>
        <Button
          variant="default"
          leftSection={<CopyIcon size={14} strokeWidth={1.5} aria-hidden />}
          onClick={() => void copy(apiKey.masked_key)}
        >
          Copy
        </Button>
      </div>
      <FactList>
        <Fact name="Scopes">{apiKey.scopes.join(', ')}</Fact>
        <Fact name="Created">{formatDay(apiKey.created_at)}</Fact>
        <Fact name="Last used">{formatLastUsed(apiKey.last_used_at, Date.now())}</Fact>
        <Fact name="Expires">{apiKey.expires_at === null ? 'Never' : formatDay(apiKey.expires_at)}</Fact>
      </FactList>
      <p className="quiet">
        The whole key was shown once, when it was made. To get a new one, ask your administrator to regenerate
        it.
      </p>
    </section>
  );
}

function stateOf({ is_active, is_expired }: OwnApiKey): { kind: StatusKind; text: string } {
  if (!is_active) return { kind: 'bad', text: 'Revoked' };
  return is_expired ? { kind: 'warn', text: 'Expired' } : { kind: 'ok', text: 'Active' };
}

async function copy(text: string): Promise<void> {
  if (await copyText(text)) showSuccess('Copied to clipboard!');
  else showMessage(`Copy by hand: ${text}`);
}
