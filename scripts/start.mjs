import { launch } from './setup.mjs';

const help = `Usage: npm start -- [options]

Starts a small workbench for the plugin: a page with its config editor and query editor, the built backend, and a
simulated Insights service. Installs and builds what is missing first.

  --port <port>          port of the page on 127.0.0.1 (default: 8080, or a free one if it is in use)
  --check                no page: run the health check and one query per data set, and print the findings about the
                         service, rows, pages, and milliseconds
  --url <url>            use this service instead of the simulator. Its login and key are read from the environment
                         variables INSIGHTS_LOGIN and INSIGHTS_KEY, or entered on the page
  --login <login>        login for that service
  --runners-path <path>  path of that service's runners route
  --help                 show this help`;

if (process.argv.includes('--help')) {
  console.log(help);
  process.exit(0);
}

await launch('workbench/start.ts');
