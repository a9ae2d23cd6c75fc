import { Modal } from '@mantine/core';
import type { CurrentUser } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { floatMotion, useDialogLayer } from '#components/ui/dialog-layer.ts';
import { releaseCalls } from '#lib/held-calls.ts';
import { readSessionEnd } from '#lib/token.ts';
import { signInOptionsQuery } from './provider-calls.ts';
import styles from './session-dialog.module.css';
import { SignInForm } from './sign-in-form.tsx';

const stay = () => undefined;

/** Opens over a page when the session ends. The page below keeps its input. */
export function SessionDialog({ user }: { user: CurrentUser }) {
  const [isSignedOut] = useState(() => readSessionEnd() === 'signed-out');
  const { data: options } = useQuery(signInOptionsQuery({ domain: undefined, tenant: undefined }));
  const href = useLocation({ select: (location) => location.href });
  useDialogLayer(true, stay);
  useEffect(() => () => releaseCalls(false), []);
  return (
    <Modal.Root
      opened
      onClose={stay}
      closeOnEscape={false}
      closeOnClickOutside={false}
      returnFocus={false}
      transitionProps={floatMotion}
      zIndex={400}
      centered
      size="26rem"
    >
      {/* A user who signed out in another tab may have left the computer, so the overlay hides the page. */}
      <Modal.Overlay className={isSignedOut ? styles.cover : undefined} />
      <Modal.Content className={styles.content}>
        <Modal.Title component="h2" className={styles.title}>
          Sign in to continue
        </Modal.Title>
        <p className={styles.text}>
          {isSignedOut ? 'You signed out in another tab.' : 'Your session has ended.'} What you typed on this
          page is still here.
        </p>
        <SignInForm email={user.email} passkeyOrigin={options?.passkey_origin} />
        <p className={styles.leave}>
          <Link to="/login" search={{ redirect: href }}>
            Leave this page
          </Link>
        </p>
      </Modal.Content>
    </Modal.Root>
  );
}
