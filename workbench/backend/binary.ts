import path from 'node:path';

/** Root of the repository; every path of the workbench is relative to it. */
export const root = path.resolve(__dirname, '..', '..');

const goOs: Partial<Record<NodeJS.Platform, string>> = { win32: 'windows' };
const goArch: Record<string, string> = { x64: 'amd64', ia32: '386' };

/** Where Grafana looks for the backend on this machine: `<executable>_<os>_<arch>` in the plugin's directory. */
export function backendBinary(): string {
  const os = goOs[process.platform] ?? process.platform;
  const arch = goArch[process.arch] ?? process.arch;
  return path.join(root, 'dist', `gpx_insights_reporting_${os}_${arch}${os === 'windows' ? '.exe' : ''}`);
}
