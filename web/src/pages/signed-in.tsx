import { useHotkeys } from '@mantine/hooks';
import { useRouteContext } from '@tanstack/react-router';
import { useCallback, useRef, useState } from 'react';
import { AccountMenu } from '../components/layout/account-menu.tsx';
import { AppShell } from '../components/layout/app-shell.tsx';
import { useScreens, useWarmScreens } from '../components/layout/use-screens.ts';
import { PaletteField } from '../features/palette/field.tsx';
import { SecondFactorPrompt } from '../features/second-factor/prompt.tsx';
import { useShortcuts } from '../features/shortcuts/use-shortcuts.ts';
import { useChosenDensity } from '../lib/appearance.ts';
import { useAreCallsHeld } from '../lib/held-calls.ts';
import { lazyFile, lazyPart, usePreload } from '../lib/lazy-part.tsx';
import { useKeptPreferences } from '../lib/preferences.ts';

const loadPalette = lazyFile(() => import('../features/palette/dialog.tsx'));
const loadSheet = lazyFile(() => import('../features/shortcuts/sheet.tsx'));
const ActForTenantDialog = lazyPart(
  () => import('../features/tenants/act-for-tenant-dialog.tsx'),
  'ActForTenantDialog',
);
const loadSessionDialog = lazyFile(() => import('../features/auth/session-dialog.tsx'));
const SessionDialog = lazyPart(loadSessionDialog, 'SessionDialog');
const Palette = lazyPart(loadPalette, 'Palette');
const ShortcutsSheet = lazyPart(loadSheet, 'ShortcutsSheet');

export function SignedInPage() {
  const user = useRouteContext({ from: '/signed-in', select: (context) => context.user });
  const screens = useScreens(user);
  const palette = useReturningDialog();
  const sheet = useReturningDialog();
  const tenants = useReturningDialog();
  const isSessionOver = useAreCallsHeld();
  useChosenDensity();
  useKeptPreferences(user);
  useWarmScreens(screens);
  // Preloaded, because the dialog opens when requests fail.
  usePreload(loadSessionDialog);
  useShortcuts({ screens, onOpenSheet: sheet.open });
  useHotkeys([['mod+K', () => (palette.isOpen ? palette.dismiss() : palette.open())]], []);

  return (
    <>
      <AppShell
        user={user}
        screens={screens}
        notice={<SecondFactorPrompt user={user} />}
        search={<PaletteField user={user} onOpen={palette.open} onPrepare={() => void loadPalette()} />}
        account={
          <AccountMenu
            user={user}
            screens={screens}
            onOpenShortcuts={sheet.open}
            onActForTenant={tenants.open}
          />
        }
      />
      {palette.isOpen && (
        <Palette
          user={user}
          screens={screens}
          onOpenShortcuts={sheet.open}
          onChoose={palette.close}
          onDismiss={palette.dismiss}
        />
      )}
      {tenants.isOpen && <ActForTenantDialog user={user} onClose={tenants.dismiss} />}
      {sheet.isOpen && <ShortcutsSheet screens={screens} onClose={sheet.dismiss} />}
      {isSessionOver && <SessionDialog user={user} />}
    </>
  );
}

export interface ReturningDialog {
  isOpen: boolean;
  open: () => void;
  /** Closes the dialog after a choice, which moves the focus to another element. */
  close: () => void;
  /** Closes the dialog and restores the focus. */
  dismiss: () => void;
}

export function useReturningDialog(): ReturningDialog {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<Element>(null);
  const open = useCallback(() => {
    opener.current = document.activeElement;
    setOpen(true);
  }, []);
  const close = useCallback(() => setOpen(false), []);
  const dismiss = useCallback(() => {
    setOpen(false);
    // If the opener no longer exists, as with a menu item, the focus returns to the page.
    const target = opener.current?.isConnected ? opener.current : document.querySelector('main');
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }, []);
  return { isOpen, open, close, dismiss };
}
