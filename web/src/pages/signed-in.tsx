import { useHotkeys } from '@mantine/hooks';
import { useRouteContext } from '@tanstack/react-router';
import { AccountMenu } from '../components/layout/account-menu.tsx';
import { AppShell } from '../components/layout/app-shell.tsx';
import { useScreens } from '../components/layout/use-screens.ts';
import { useWarmScreens } from '../components/layout/use-warm-screens.ts';
import { PaletteField } from '../features/palette/field.tsx';
import { useShortcuts } from '../features/shortcuts/use-shortcuts.ts';
import { useManagesTeams } from '../features/teams/use-manages-teams.ts';
import { useChosenDensity } from '../lib/appearance.ts';
import { lazyFile, lazyPart } from '../lib/lazy-part.tsx';
import { useKeptPreferences } from '../lib/preferences.ts';
import { useReturningDialog } from '../lib/returning-dialog.ts';

const loadPalette = lazyFile(() => import('../features/palette/dialog.tsx'));
const loadSheet = lazyFile(() => import('../features/shortcuts/sheet.tsx'));
const ActForTenantDialog = lazyPart(
  () => import('../features/tenants/act-for-tenant-dialog.tsx'),
  'ActForTenantDialog',
);
const Palette = lazyPart(loadPalette, 'Palette');
const ShortcutsSheet = lazyPart(loadSheet, 'ShortcutsSheet');

/** Frame of every page of the console and the portal. */
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
    </>
  );
}
