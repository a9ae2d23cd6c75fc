import { useHotkeys } from '@mantine/hooks';
import { useRouteContext } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { AccountMenu } from '../components/layout/account-menu.tsx';
import { AppShell } from '../components/layout/app-shell.tsx';
import { useScreens } from '../components/layout/use-screens.ts';
import { useWarmScreens } from '../components/layout/use-warm-screens.ts';
import { PaletteField } from '../features/palette/field.tsx';
import { useShortcuts } from '../features/shortcuts/use-shortcuts.ts';
import { useManagesTeams } from '../features/teams/use-manages-teams.ts';
import { useChosenDensity } from '../lib/appearance.ts';
import { loadPart } from '../lib/load-part.ts';
import { useKeptPreferences } from '../lib/preferences.ts';
import { useReturningDialog } from '../lib/returning-dialog.ts';

const loadPalette = () => import('../features/palette/dialog.tsx');
const loadSheet = () => import('../features/shortcuts/sheet.tsx');
const ActForTenantDialog = lazy(
  loadPart(async () => ({
    default: (await import('../features/tenants/act-for-tenant-dialog.tsx')).ActForTenantDialog,
  })),
);
const Palette = lazy(loadPart(async () => ({ default: (await loadPalette()).Palette })));
const ShortcutsSheet = lazy(loadPart(async () => ({ default: (await loadSheet()).ShortcutsSheet })));

/** The frame around every page of the console and the portal. */
export function SignedInPage() {
  const user = useRouteContext({ from: '/signed-in', select: (context) => context.user });
  const screens = useScreens(user, useManagesTeams(user));
  const palette = useReturningDialog();
  const sheet = useReturningDialog();
  const tenants = useReturningDialog();
  useChosenDensity();
  useKeptPreferences(user);
  useWarmScreens(screens);
  useShortcuts({ screens, onOpenSheet: sheet.open });
  useHotkeys([['mod+K', () => (palette.isOpen ? palette.dismiss() : palette.open())]], []);

  return (
    <>
      <AppShell
        user={user}
        screens={screens}
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
      <Suspense>
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
      </Suspense>
    </>
  );
}
