package frame

import "slices"

// grafanaCurrencies are the codes for which Grafana has a unit with a symbol
// (https://github.com/grafana/grafana/blob/main/packages/grafana-data/src/valueFormats/categories.ts).
var grafanaCurrencies = []string{
	"USD", "GBP", "EUR", "JPY", "RUB", "UAH", "BRL", "DKK", "ISK", "NOK", "SEK", "CZK", "CHF", "PLN", "ZAR", "INR", "KRW", "IDR", "PHP",
	"VND", "TRY", "MYR",
}

// currencyUnit returns Grafana's unit for an amount. Grafana would append an unknown unit to the number as is, so other
// codes become the symbol of a custom unit.
func currencyUnit(code string) string {
	if slices.Contains(grafanaCurrencies, code) {
		return "currency" + code
	}
	return "currency:" + code + " "
}
