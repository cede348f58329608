import { launch } from './lib/launch.mjs';

const help = `Usage: npm start -- [options]

Starts a small workbench for the plugin: its config editor and query editor in a page of their own, with the built
backend behind them and a simulated Insights service behind that. It installs and builds what is missing first.

  --port <port>          port of the page on 127.0.0.1 (default: 8080, or a free one when that is taken)
  --watch                build again what changes: the backend restarts, and the page loads itself again
  --check                no page: run health and one query for each data set, print what was found out about the service,
                         rows, pages and milliseconds
  --url <url>            talk to this service instead of the simulator. Its login and key are read from the environment
                         variables INSIGHTS_LOGIN and INSIGHTS_KEY, or asked for
  --login <login>        login for that service
  --runners-path <path>  path of that service's runners route
  --help                 this text`;

if (process.argv.includes('--help')) {
  console.log(help);
  process.exit(0);
}

await launch('../../workbench/start.ts');
