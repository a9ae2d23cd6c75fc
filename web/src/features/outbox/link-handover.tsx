import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { FocusedSection } from '#components/ui/focused-section.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import styles from './link-handover.module.css';
import { mailToQuery } from './queries.ts';

interface LinkHandoverProps {
  address: string;
  /** Required if a super administrator does not act for the tenant. */
  tenantId?: number;
  onDone: () => void;
  /** Called if the mail was sent, so that no link needs to be forwarded. */
  onDelivered?: () => void;
}

/** Shows the link if no mail server is configured. */
export function LinkHandover({ address, tenantId, onDone, onDelivered }: LinkHandoverProps) {
  const { data: mail, isPending } = useQuery(mailToQuery(address, tenantId));
  const isDelivered = !isPending && !mail?.link;
  // biome-ignore lint/correctness/useExhaustiveDependencies: must run once per query result
  useEffect(() => {
    if (isDelivered) onDelivered?.();
  }, [isDelivered]);
  return (
    <FocusedSection label="Invitation sent">
      {isPending && <SkeletonLines count={2} />}
      {isDelivered && <StatusMark kind="ok">The invitation is on its way to {address}.</StatusMark>}
      {mail?.link && (
        <>
          <StatusMark kind="warn">
            No email has been sent to {address} yet. Copy the link and forward it. Anyone who has the link can
            create the account.
          </StatusMark>
          <code className={styles.link}>{mail.link}</code>
          <LinkOriginWarning link={mail.link} />
        </>
      )}
      <div className={styles.actions}>
        {mail?.link && <CopyButton text={mail.link} label="Copy invitation link" />}
        <Button onClick={onDone}>Done</Button>
      </div>
    </FocusedSection>
  );
}

/** Warns if a link's origin differs from the console's. The usual cause is a missing `PUBLIC_URL`. */
export function LinkOriginWarning({ link }: { link: string }) {
  const { origin } = new URL(link);
  if (origin === location.origin) return null;
  return (
    <Notice
      kind="warn"
      title={`This link points to ${origin}, but you opened the console at ${location.origin}.`}
    >
      Users who cannot reach {origin} cannot open the link. The operator can set <code>PUBLIC_URL</code> to
      the URL that users open. New links then use it.
    </Notice>
  );
}
