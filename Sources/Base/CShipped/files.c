// Written by Tools/ship.
#include "CShipped.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file0[] = {
#embed "../../../Fixtures/market/bodies/candles-bitcoin-usd-1d.json"
};
static const unsigned char file1[] = {
#embed "../../../Fixtures/market/bodies/candles-bitcoin-usd-30d.json"
};
static const unsigned char file2[] = {
#embed "../../../Fixtures/market/bodies/candles-bitcoin-usd-365d.json"
};
static const unsigned char file3[] = {
#embed "../../../Fixtures/market/bodies/candles-bitcoin-usd-7d.json"
};
static const unsigned char file4[] = {
#embed "../../../Fixtures/market/bodies/candles-dogecoin-usd-1d.json"
};
static const unsigned char file5[] = {
#embed "../../../Fixtures/market/bodies/candles-dogecoin-usd-30d.json"
};
static const unsigned char file6[] = {
#embed "../../../Fixtures/market/bodies/candles-dogecoin-usd-365d.json"
};
static const unsigned char file7[] = {
#embed "../../../Fixtures/market/bodies/candles-dogecoin-usd-7d.json"
};
static const unsigned char file8[] = {
#embed "../../../Fixtures/market/bodies/candles-ethereum-usd-1d.json"
};
static const unsigned char file9[] = {
#embed "../../../Fixtures/market/bodies/candles-ethereum-usd-30d.json"
};
static const unsigned char file10[] = {
#embed "../../../Fixtures/market/bodies/candles-ethereum-usd-365d.json"
};
static const unsigned char file11[] = {
#embed "../../../Fixtures/market/bodies/candles-ethereum-usd-7d.json"
};
static const unsigned char file12[] = {
#embed "../../../Fixtures/market/bodies/candles-shiba-inu-usd-1d.json"
};
static const unsigned char file13[] = {
#embed "../../../Fixtures/market/bodies/candles-shiba-inu-usd-30d.json"
};
static const unsigned char file14[] = {
#embed "../../../Fixtures/market/bodies/candles-shiba-inu-usd-365d.json"
};
static const unsigned char file15[] = {
#embed "../../../Fixtures/market/bodies/candles-shiba-inu-usd-7d.json"
};
static const unsigned char file16[] = {
#embed "../../../Fixtures/market/bodies/candles-solana-usd-1d.json"
};
static const unsigned char file17[] = {
#embed "../../../Fixtures/market/bodies/candles-solana-usd-30d.json"
};
static const unsigned char file18[] = {
#embed "../../../Fixtures/market/bodies/candles-solana-usd-365d.json"
};
static const unsigned char file19[] = {
#embed "../../../Fixtures/market/bodies/candles-solana-usd-7d.json"
};
static const unsigned char file20[] = {
#embed "../../../Fixtures/market/bodies/coins-list.json"
};
static const unsigned char file21[] = {
#embed "../../../Fixtures/market/bodies/detail-bitcoin-btc.json"
};
static const unsigned char file22[] = {
#embed "../../../Fixtures/market/bodies/detail-bitcoin-eur.json"
};
static const unsigned char file23[] = {
#embed "../../../Fixtures/market/bodies/detail-bitcoin-gbp.json"
};
static const unsigned char file24[] = {
#embed "../../../Fixtures/market/bodies/detail-bitcoin-usd.json"
};
static const unsigned char file25[] = {
#embed "../../../Fixtures/market/bodies/detail-dogecoin-btc.json"
};
static const unsigned char file26[] = {
#embed "../../../Fixtures/market/bodies/detail-dogecoin-eur.json"
};
static const unsigned char file27[] = {
#embed "../../../Fixtures/market/bodies/detail-dogecoin-gbp.json"
};
static const unsigned char file28[] = {
#embed "../../../Fixtures/market/bodies/detail-dogecoin-usd.json"
};
static const unsigned char file29[] = {
#embed "../../../Fixtures/market/bodies/detail-ethereum-btc.json"
};
static const unsigned char file30[] = {
#embed "../../../Fixtures/market/bodies/detail-ethereum-eur.json"
};
static const unsigned char file31[] = {
#embed "../../../Fixtures/market/bodies/detail-ethereum-gbp.json"
};
static const unsigned char file32[] = {
#embed "../../../Fixtures/market/bodies/detail-ethereum-usd.json"
};
static const unsigned char file33[] = {
#embed "../../../Fixtures/market/bodies/detail-shiba-inu-btc.json"
};
static const unsigned char file34[] = {
#embed "../../../Fixtures/market/bodies/detail-shiba-inu-eur.json"
};
static const unsigned char file35[] = {
#embed "../../../Fixtures/market/bodies/detail-shiba-inu-gbp.json"
};
static const unsigned char file36[] = {
#embed "../../../Fixtures/market/bodies/detail-shiba-inu-usd.json"
};
static const unsigned char file37[] = {
#embed "../../../Fixtures/market/bodies/detail-solana-btc.json"
};
static const unsigned char file38[] = {
#embed "../../../Fixtures/market/bodies/detail-solana-eur.json"
};
static const unsigned char file39[] = {
#embed "../../../Fixtures/market/bodies/detail-solana-gbp.json"
};
static const unsigned char file40[] = {
#embed "../../../Fixtures/market/bodies/detail-solana-usd.json"
};
static const unsigned char file41[] = {
#embed "../../../Fixtures/market/bodies/error-cloudflare.html"
};
static const unsigned char file42[] = {
#embed "../../../Fixtures/market/bodies/error-quotes-empty.json"
};
static const unsigned char file43[] = {
#embed "../../../Fixtures/market/bodies/error-rate-limited.json"
};
static const unsigned char file44[] = {
#embed "../../../Fixtures/market/bodies/line-bitcoin-usd-1d.json"
};
static const unsigned char file45[] = {
#embed "../../../Fixtures/market/bodies/line-bitcoin-usd-30d.json"
};
static const unsigned char file46[] = {
#embed "../../../Fixtures/market/bodies/line-bitcoin-usd-365d.json"
};
static const unsigned char file47[] = {
#embed "../../../Fixtures/market/bodies/line-bitcoin-usd-7d.json"
};
static const unsigned char file48[] = {
#embed "../../../Fixtures/market/bodies/line-dogecoin-usd-1d.json"
};
static const unsigned char file49[] = {
#embed "../../../Fixtures/market/bodies/line-dogecoin-usd-30d.json"
};
static const unsigned char file50[] = {
#embed "../../../Fixtures/market/bodies/line-dogecoin-usd-365d.json"
};
static const unsigned char file51[] = {
#embed "../../../Fixtures/market/bodies/line-dogecoin-usd-7d.json"
};
static const unsigned char file52[] = {
#embed "../../../Fixtures/market/bodies/line-ethereum-usd-1d.json"
};
static const unsigned char file53[] = {
#embed "../../../Fixtures/market/bodies/line-ethereum-usd-30d.json"
};
static const unsigned char file54[] = {
#embed "../../../Fixtures/market/bodies/line-ethereum-usd-365d.json"
};
static const unsigned char file55[] = {
#embed "../../../Fixtures/market/bodies/line-ethereum-usd-7d.json"
};
static const unsigned char file56[] = {
#embed "../../../Fixtures/market/bodies/line-shiba-inu-usd-1d.json"
};
static const unsigned char file57[] = {
#embed "../../../Fixtures/market/bodies/line-shiba-inu-usd-30d.json"
};
static const unsigned char file58[] = {
#embed "../../../Fixtures/market/bodies/line-shiba-inu-usd-365d.json"
};
static const unsigned char file59[] = {
#embed "../../../Fixtures/market/bodies/line-shiba-inu-usd-7d.json"
};
static const unsigned char file60[] = {
#embed "../../../Fixtures/market/bodies/line-solana-usd-1d.json"
};
static const unsigned char file61[] = {
#embed "../../../Fixtures/market/bodies/line-solana-usd-30d.json"
};
static const unsigned char file62[] = {
#embed "../../../Fixtures/market/bodies/line-solana-usd-365d.json"
};
static const unsigned char file63[] = {
#embed "../../../Fixtures/market/bodies/line-solana-usd-7d.json"
};
static const unsigned char file64[] = {
#embed "../../../Fixtures/market/bodies/quotes-btc.json"
};
static const unsigned char file65[] = {
#embed "../../../Fixtures/market/bodies/quotes-eur.json"
};
static const unsigned char file66[] = {
#embed "../../../Fixtures/market/bodies/quotes-gbp.json"
};
static const unsigned char file67[] = {
#embed "../../../Fixtures/market/bodies/quotes-usd.json"
};
static const unsigned char file68[] = {
#embed "../../../Fixtures/market/recording.har"
};
static const unsigned char file69[] = {
#embed "../../../imports/binance-trades.yaml"
};
static const unsigned char file70[] = {
#embed "../../../imports/binance.yaml"
};
static const unsigned char file71[] = {
#embed "../../../imports/coinbase.yaml"
};
static const unsigned char file72[] = {
#embed "../../../imports/cointracking.yaml"
};
static const unsigned char file73[] = {
#embed "../../../imports/delta.yaml"
};
static const unsigned char file74[] = {
#embed "../../../imports/ghostfolio.yaml"
};
static const unsigned char file75[] = {
#embed "../../../imports/koinly.yaml"
};
static const unsigned char file76[] = {
#embed "../../../imports/kraken-ledgers.yaml"
};
static const unsigned char file77[] = {
#embed "../../../imports/kraken-trades.yaml"
};
static const unsigned char file78[] = {
#embed "../../../providers/alphavantage.yaml"
};
static const unsigned char file79[] = {
#embed "../../../providers/amfi.yaml"
};
static const unsigned char file80[] = {
#embed "../../../providers/analizy.yaml"
};
static const unsigned char file81[] = {
#embed "../../../providers/avanza.yaml"
};
static const unsigned char file82[] = {
#embed "../../../providers/banrep.yaml"
};
static const unsigned char file83[] = {
#embed "../../../providers/banxico.yaml"
};
static const unsigned char file84[] = {
#embed "../../../providers/base/exchange.yaml"
};
static const unsigned char file85[] = {
#embed "../../../providers/bcb.yaml"
};
static const unsigned char file86[] = {
#embed "../../../providers/bequant.yaml"
};
static const unsigned char file87[] = {
#embed "../../../providers/binance.yaml"
};
static const unsigned char file88[] = {
#embed "../../../providers/binanceus.yaml"
};
static const unsigned char file89[] = {
#embed "../../../providers/bitbank.yaml"
};
static const unsigned char file90[] = {
#embed "../../../providers/bitfinex.yaml"
};
static const unsigned char file91[] = {
#embed "../../../providers/bitflyer.yaml"
};
static const unsigned char file92[] = {
#embed "../../../providers/bitget.yaml"
};
static const unsigned char file93[] = {
#embed "../../../providers/bithumb.yaml"
};
static const unsigned char file94[] = {
#embed "../../../providers/bitopro.yaml"
};
static const unsigned char file95[] = {
#embed "../../../providers/bitpay.yaml"
};
static const unsigned char file96[] = {
#embed "../../../providers/bitso.yaml"
};
static const unsigned char file97[] = {
#embed "../../../providers/bitstamp.yaml"
};
static const unsigned char file98[] = {
#embed "../../../providers/bittrade.yaml"
};
static const unsigned char file99[] = {
#embed "../../../providers/bitvavo.yaml"
};
static const unsigned char file100[] = {
#embed "../../../providers/blockchaininfo.yaml"
};
static const unsigned char file101[] = {
#embed "../../../providers/bnm.yaml"
};
static const unsigned char file102[] = {
#embed "../../../providers/bnr.yaml"
};
static const unsigned char file103[] = {
#embed "../../../providers/boc.yaml"
};
static const unsigned char file104[] = {
#embed "../../../providers/boe.yaml"
};
static const unsigned char file105[] = {
#embed "../../../providers/boi.yaml"
};
static const unsigned char file106[] = {
#embed "../../../providers/btcmarkets.yaml"
};
static const unsigned char file107[] = {
#embed "../../../providers/btcturk.yaml"
};
static const unsigned char file108[] = {
#embed "../../../providers/bybit.yaml"
};
static const unsigned char file109[] = {
#embed "../../../providers/cbr.yaml"
};
static const unsigned char file110[] = {
#embed "../../../providers/cbrmetals.yaml"
};
static const unsigned char file111[] = {
#embed "../../../providers/cbu.yaml"
};
static const unsigned char file112[] = {
#embed "../../../providers/cnb.yaml"
};
static const unsigned char file113[] = {
#embed "../../../providers/coinbase.yaml"
};
static const unsigned char file114[] = {
#embed "../../../providers/coincap.yaml"
};
static const unsigned char file115[] = {
#embed "../../../providers/coincheck.yaml"
};
static const unsigned char file116[] = {
#embed "../../../providers/coinlore.yaml"
};
static const unsigned char file117[] = {
#embed "../../../providers/coinmarketcap.yaml"
};
static const unsigned char file118[] = {
#embed "../../../providers/coinpaprika.yaml"
};
static const unsigned char file119[] = {
#embed "../../../providers/coinsph.yaml"
};
static const unsigned char file120[] = {
#embed "../../../providers/cryptocom.yaml"
};
static const unsigned char file121[] = {
#embed "../../../providers/cryptocompare.yaml"
};
static const unsigned char file122[] = {
#embed "../../../providers/currencyapi.yaml"
};
static const unsigned char file123[] = {
#embed "../../../providers/defillama.yaml"
};
static const unsigned char file124[] = {
#embed "../../../providers/dnb.yaml"
};
static const unsigned char file125[] = {
#embed "../../../providers/ecb.yaml"
};
static const unsigned char file126[] = {
#embed "../../../providers/eodhd.yaml"
};
static const unsigned char file127[] = {
#embed "../../../providers/erapi.yaml"
};
static const unsigned char file128[] = {
#embed "../../../providers/finnhub.yaml"
};
static const unsigned char file129[] = {
#embed "../../../providers/fixture.yaml"
};
static const unsigned char file130[] = {
#embed "../../../providers/fmp.yaml"
};
static const unsigned char file131[] = {
#embed "../../../providers/frankfurter.yaml"
};
static const unsigned char file132[] = {
#embed "../../../providers/fred.yaml"
};
static const unsigned char file133[] = {
#embed "../../../providers/gate.yaml"
};
static const unsigned char file134[] = {
#embed "../../../providers/gemini.yaml"
};
static const unsigned char file135[] = {
#embed "../../../providers/goldapi.yaml"
};
static const unsigned char file136[] = {
#embed "../../../providers/goldapicom.yaml"
};
static const unsigned char file137[] = {
#embed "../../../providers/hitbtc.yaml"
};
static const unsigned char file138[] = {
#embed "../../../providers/hkma.yaml"
};
static const unsigned char file139[] = {
#embed "../../../providers/hnb.yaml"
};
static const unsigned char file140[] = {
#embed "../../../providers/htx.yaml"
};
static const unsigned char file141[] = {
#embed "../../../providers/independentreserve.yaml"
};
static const unsigned char file142[] = {
#embed "../../../providers/indodax.yaml"
};
static const unsigned char file143[] = {
#embed "../../../providers/justetf.yaml"
};
static const unsigned char file144[] = {
#embed "../../../providers/kraken.yaml"
};
static const unsigned char file145[] = {
#embed "../../../providers/kucoin.yaml"
};
static const unsigned char file146[] = {
#embed "../../../providers/lbma.yaml"
};
static const unsigned char file147[] = {
#embed "../../../providers/livecoinwatch.yaml"
};
static const unsigned char file148[] = {
#embed "../../../providers/luno.yaml"
};
static const unsigned char file149[] = {
#embed "../../../providers/mempool.yaml"
};
static const unsigned char file150[] = {
#embed "../../../providers/mercadobitcoin.yaml"
};
static const unsigned char file151[] = {
#embed "../../../providers/metalpriceapi.yaml"
};
static const unsigned char file152[] = {
#embed "../../../providers/metalsdev.yaml"
};
static const unsigned char file153[] = {
#embed "../../../providers/mexc.yaml"
};
static const unsigned char file154[] = {
#embed "../../../providers/mfapi.yaml"
};
static const unsigned char file155[] = {
#embed "../../../providers/moex.yaml"
};
static const unsigned char file156[] = {
#embed "../../../providers/nbg.yaml"
};
static const unsigned char file157[] = {
#embed "../../../providers/nbkr.yaml"
};
static const unsigned char file158[] = {
#embed "../../../providers/nbp.yaml"
};
static const unsigned char file159[] = {
#embed "../../../providers/nbpgold.yaml"
};
static const unsigned char file160[] = {
#embed "../../../providers/nbrb.yaml"
};
static const unsigned char file161[] = {
#embed "../../../providers/nbrm.yaml"
};
static const unsigned char file162[] = {
#embed "../../../providers/nbu.yaml"
};
static const unsigned char file163[] = {
#embed "../../../providers/norgesbank.yaml"
};
static const unsigned char file164[] = {
#embed "../../../providers/okx.yaml"
};
static const unsigned char file165[] = {
#embed "../../../providers/openexchangerates.yaml"
};
static const unsigned char file166[] = {
#embed "../../../providers/poloniex.yaml"
};
static const unsigned char file167[] = {
#embed "../../../providers/polygon.yaml"
};
static const unsigned char file168[] = {
#embed "../../../providers/rba.yaml"
};
static const unsigned char file169[] = {
#embed "../../../providers/riksbank.yaml"
};
static const unsigned char file170[] = {
#embed "../../../providers/sarb.yaml"
};
static const unsigned char file171[] = {
#embed "../../../providers/stooq.yaml"
};
static const unsigned char file172[] = {
#embed "../../../providers/tcmb.yaml"
};
static const unsigned char file173[] = {
#embed "../../../providers/tiingo.yaml"
};
static const unsigned char file174[] = {
#embed "../../../providers/tsp.yaml"
};
static const unsigned char file175[] = {
#embed "../../../providers/twelvedata.yaml"
};
static const unsigned char file176[] = {
#embed "../../../providers/twse.yaml"
};
static const unsigned char file177[] = {
#embed "../../../providers/upbit.yaml"
};
static const unsigned char file178[] = {
#embed "../../../providers/whitebit.yaml"
};
static const unsigned char file179[] = {
#embed "../../../providers/yahoo.yaml"
};
static const unsigned char file180[] = {
#embed "../../../docs/schemas/provider.json"
};

static const bitpal_shipped_file files[] = {
  {"Fixtures/market/bodies/candles-bitcoin-usd-1d.json", file0, sizeof file0},
  {"Fixtures/market/bodies/candles-bitcoin-usd-30d.json", file1, sizeof file1},
  {"Fixtures/market/bodies/candles-bitcoin-usd-365d.json", file2, sizeof file2},
  {"Fixtures/market/bodies/candles-bitcoin-usd-7d.json", file3, sizeof file3},
  {"Fixtures/market/bodies/candles-dogecoin-usd-1d.json", file4, sizeof file4},
  {"Fixtures/market/bodies/candles-dogecoin-usd-30d.json", file5, sizeof file5},
  {"Fixtures/market/bodies/candles-dogecoin-usd-365d.json", file6, sizeof file6},
  {"Fixtures/market/bodies/candles-dogecoin-usd-7d.json", file7, sizeof file7},
  {"Fixtures/market/bodies/candles-ethereum-usd-1d.json", file8, sizeof file8},
  {"Fixtures/market/bodies/candles-ethereum-usd-30d.json", file9, sizeof file9},
  {"Fixtures/market/bodies/candles-ethereum-usd-365d.json", file10, sizeof file10},
  {"Fixtures/market/bodies/candles-ethereum-usd-7d.json", file11, sizeof file11},
  {"Fixtures/market/bodies/candles-shiba-inu-usd-1d.json", file12, sizeof file12},
  {"Fixtures/market/bodies/candles-shiba-inu-usd-30d.json", file13, sizeof file13},
  {"Fixtures/market/bodies/candles-shiba-inu-usd-365d.json", file14, sizeof file14},
  {"Fixtures/market/bodies/candles-shiba-inu-usd-7d.json", file15, sizeof file15},
  {"Fixtures/market/bodies/candles-solana-usd-1d.json", file16, sizeof file16},
  {"Fixtures/market/bodies/candles-solana-usd-30d.json", file17, sizeof file17},
  {"Fixtures/market/bodies/candles-solana-usd-365d.json", file18, sizeof file18},
  {"Fixtures/market/bodies/candles-solana-usd-7d.json", file19, sizeof file19},
  {"Fixtures/market/bodies/coins-list.json", file20, sizeof file20},
  {"Fixtures/market/bodies/detail-bitcoin-btc.json", file21, sizeof file21},
  {"Fixtures/market/bodies/detail-bitcoin-eur.json", file22, sizeof file22},
  {"Fixtures/market/bodies/detail-bitcoin-gbp.json", file23, sizeof file23},
  {"Fixtures/market/bodies/detail-bitcoin-usd.json", file24, sizeof file24},
  {"Fixtures/market/bodies/detail-dogecoin-btc.json", file25, sizeof file25},
  {"Fixtures/market/bodies/detail-dogecoin-eur.json", file26, sizeof file26},
  {"Fixtures/market/bodies/detail-dogecoin-gbp.json", file27, sizeof file27},
  {"Fixtures/market/bodies/detail-dogecoin-usd.json", file28, sizeof file28},
  {"Fixtures/market/bodies/detail-ethereum-btc.json", file29, sizeof file29},
  {"Fixtures/market/bodies/detail-ethereum-eur.json", file30, sizeof file30},
  {"Fixtures/market/bodies/detail-ethereum-gbp.json", file31, sizeof file31},
  {"Fixtures/market/bodies/detail-ethereum-usd.json", file32, sizeof file32},
  {"Fixtures/market/bodies/detail-shiba-inu-btc.json", file33, sizeof file33},
  {"Fixtures/market/bodies/detail-shiba-inu-eur.json", file34, sizeof file34},
  {"Fixtures/market/bodies/detail-shiba-inu-gbp.json", file35, sizeof file35},
  {"Fixtures/market/bodies/detail-shiba-inu-usd.json", file36, sizeof file36},
  {"Fixtures/market/bodies/detail-solana-btc.json", file37, sizeof file37},
  {"Fixtures/market/bodies/detail-solana-eur.json", file38, sizeof file38},
  {"Fixtures/market/bodies/detail-solana-gbp.json", file39, sizeof file39},
  {"Fixtures/market/bodies/detail-solana-usd.json", file40, sizeof file40},
  {"Fixtures/market/bodies/error-cloudflare.html", file41, sizeof file41},
  {"Fixtures/market/bodies/error-quotes-empty.json", file42, sizeof file42},
  {"Fixtures/market/bodies/error-rate-limited.json", file43, sizeof file43},
  {"Fixtures/market/bodies/line-bitcoin-usd-1d.json", file44, sizeof file44},
  {"Fixtures/market/bodies/line-bitcoin-usd-30d.json", file45, sizeof file45},
  {"Fixtures/market/bodies/line-bitcoin-usd-365d.json", file46, sizeof file46},
  {"Fixtures/market/bodies/line-bitcoin-usd-7d.json", file47, sizeof file47},
  {"Fixtures/market/bodies/line-dogecoin-usd-1d.json", file48, sizeof file48},
  {"Fixtures/market/bodies/line-dogecoin-usd-30d.json", file49, sizeof file49},
  {"Fixtures/market/bodies/line-dogecoin-usd-365d.json", file50, sizeof file50},
  {"Fixtures/market/bodies/line-dogecoin-usd-7d.json", file51, sizeof file51},
  {"Fixtures/market/bodies/line-ethereum-usd-1d.json", file52, sizeof file52},
  {"Fixtures/market/bodies/line-ethereum-usd-30d.json", file53, sizeof file53},
  {"Fixtures/market/bodies/line-ethereum-usd-365d.json", file54, sizeof file54},
  {"Fixtures/market/bodies/line-ethereum-usd-7d.json", file55, sizeof file55},
  {"Fixtures/market/bodies/line-shiba-inu-usd-1d.json", file56, sizeof file56},
  {"Fixtures/market/bodies/line-shiba-inu-usd-30d.json", file57, sizeof file57},
  {"Fixtures/market/bodies/line-shiba-inu-usd-365d.json", file58, sizeof file58},
  {"Fixtures/market/bodies/line-shiba-inu-usd-7d.json", file59, sizeof file59},
  {"Fixtures/market/bodies/line-solana-usd-1d.json", file60, sizeof file60},
  {"Fixtures/market/bodies/line-solana-usd-30d.json", file61, sizeof file61},
  {"Fixtures/market/bodies/line-solana-usd-365d.json", file62, sizeof file62},
  {"Fixtures/market/bodies/line-solana-usd-7d.json", file63, sizeof file63},
  {"Fixtures/market/bodies/quotes-btc.json", file64, sizeof file64},
  {"Fixtures/market/bodies/quotes-eur.json", file65, sizeof file65},
  {"Fixtures/market/bodies/quotes-gbp.json", file66, sizeof file66},
  {"Fixtures/market/bodies/quotes-usd.json", file67, sizeof file67},
  {"Fixtures/market/recording.har", file68, sizeof file68},
  {"imports/binance-trades.yaml", file69, sizeof file69},
  {"imports/binance.yaml", file70, sizeof file70},
  {"imports/coinbase.yaml", file71, sizeof file71},
  {"imports/cointracking.yaml", file72, sizeof file72},
  {"imports/delta.yaml", file73, sizeof file73},
  {"imports/ghostfolio.yaml", file74, sizeof file74},
  {"imports/koinly.yaml", file75, sizeof file75},
  {"imports/kraken-ledgers.yaml", file76, sizeof file76},
  {"imports/kraken-trades.yaml", file77, sizeof file77},
  {"providers/alphavantage.yaml", file78, sizeof file78},
  {"providers/amfi.yaml", file79, sizeof file79},
  {"providers/analizy.yaml", file80, sizeof file80},
  {"providers/avanza.yaml", file81, sizeof file81},
  {"providers/banrep.yaml", file82, sizeof file82},
  {"providers/banxico.yaml", file83, sizeof file83},
  {"providers/base/exchange.yaml", file84, sizeof file84},
  {"providers/bcb.yaml", file85, sizeof file85},
  {"providers/bequant.yaml", file86, sizeof file86},
  {"providers/binance.yaml", file87, sizeof file87},
  {"providers/binanceus.yaml", file88, sizeof file88},
  {"providers/bitbank.yaml", file89, sizeof file89},
  {"providers/bitfinex.yaml", file90, sizeof file90},
  {"providers/bitflyer.yaml", file91, sizeof file91},
  {"providers/bitget.yaml", file92, sizeof file92},
  {"providers/bithumb.yaml", file93, sizeof file93},
  {"providers/bitopro.yaml", file94, sizeof file94},
  {"providers/bitpay.yaml", file95, sizeof file95},
  {"providers/bitso.yaml", file96, sizeof file96},
  {"providers/bitstamp.yaml", file97, sizeof file97},
  {"providers/bittrade.yaml", file98, sizeof file98},
  {"providers/bitvavo.yaml", file99, sizeof file99},
  {"providers/blockchaininfo.yaml", file100, sizeof file100},
  {"providers/bnm.yaml", file101, sizeof file101},
  {"providers/bnr.yaml", file102, sizeof file102},
  {"providers/boc.yaml", file103, sizeof file103},
  {"providers/boe.yaml", file104, sizeof file104},
  {"providers/boi.yaml", file105, sizeof file105},
  {"providers/btcmarkets.yaml", file106, sizeof file106},
  {"providers/btcturk.yaml", file107, sizeof file107},
  {"providers/bybit.yaml", file108, sizeof file108},
  {"providers/cbr.yaml", file109, sizeof file109},
  {"providers/cbrmetals.yaml", file110, sizeof file110},
  {"providers/cbu.yaml", file111, sizeof file111},
  {"providers/cnb.yaml", file112, sizeof file112},
  {"providers/coinbase.yaml", file113, sizeof file113},
  {"providers/coincap.yaml", file114, sizeof file114},
  {"providers/coincheck.yaml", file115, sizeof file115},
  {"providers/coinlore.yaml", file116, sizeof file116},
  {"providers/coinmarketcap.yaml", file117, sizeof file117},
  {"providers/coinpaprika.yaml", file118, sizeof file118},
  {"providers/coinsph.yaml", file119, sizeof file119},
  {"providers/cryptocom.yaml", file120, sizeof file120},
  {"providers/cryptocompare.yaml", file121, sizeof file121},
  {"providers/currencyapi.yaml", file122, sizeof file122},
  {"providers/defillama.yaml", file123, sizeof file123},
  {"providers/dnb.yaml", file124, sizeof file124},
  {"providers/ecb.yaml", file125, sizeof file125},
  {"providers/eodhd.yaml", file126, sizeof file126},
  {"providers/erapi.yaml", file127, sizeof file127},
  {"providers/finnhub.yaml", file128, sizeof file128},
  {"providers/fixture.yaml", file129, sizeof file129},
  {"providers/fmp.yaml", file130, sizeof file130},
  {"providers/frankfurter.yaml", file131, sizeof file131},
  {"providers/fred.yaml", file132, sizeof file132},
  {"providers/gate.yaml", file133, sizeof file133},
  {"providers/gemini.yaml", file134, sizeof file134},
  {"providers/goldapi.yaml", file135, sizeof file135},
  {"providers/goldapicom.yaml", file136, sizeof file136},
  {"providers/hitbtc.yaml", file137, sizeof file137},
  {"providers/hkma.yaml", file138, sizeof file138},
  {"providers/hnb.yaml", file139, sizeof file139},
  {"providers/htx.yaml", file140, sizeof file140},
  {"providers/independentreserve.yaml", file141, sizeof file141},
  {"providers/indodax.yaml", file142, sizeof file142},
  {"providers/justetf.yaml", file143, sizeof file143},
  {"providers/kraken.yaml", file144, sizeof file144},
  {"providers/kucoin.yaml", file145, sizeof file145},
  {"providers/lbma.yaml", file146, sizeof file146},
  {"providers/livecoinwatch.yaml", file147, sizeof file147},
  {"providers/luno.yaml", file148, sizeof file148},
  {"providers/mempool.yaml", file149, sizeof file149},
  {"providers/mercadobitcoin.yaml", file150, sizeof file150},
  {"providers/metalpriceapi.yaml", file151, sizeof file151},
  {"providers/metalsdev.yaml", file152, sizeof file152},
  {"providers/mexc.yaml", file153, sizeof file153},
  {"providers/mfapi.yaml", file154, sizeof file154},
  {"providers/moex.yaml", file155, sizeof file155},
  {"providers/nbg.yaml", file156, sizeof file156},
  {"providers/nbkr.yaml", file157, sizeof file157},
  {"providers/nbp.yaml", file158, sizeof file158},
  {"providers/nbpgold.yaml", file159, sizeof file159},
  {"providers/nbrb.yaml", file160, sizeof file160},
  {"providers/nbrm.yaml", file161, sizeof file161},
  {"providers/nbu.yaml", file162, sizeof file162},
  {"providers/norgesbank.yaml", file163, sizeof file163},
  {"providers/okx.yaml", file164, sizeof file164},
  {"providers/openexchangerates.yaml", file165, sizeof file165},
  {"providers/poloniex.yaml", file166, sizeof file166},
  {"providers/polygon.yaml", file167, sizeof file167},
  {"providers/rba.yaml", file168, sizeof file168},
  {"providers/riksbank.yaml", file169, sizeof file169},
  {"providers/sarb.yaml", file170, sizeof file170},
  {"providers/stooq.yaml", file171, sizeof file171},
  {"providers/tcmb.yaml", file172, sizeof file172},
  {"providers/tiingo.yaml", file173, sizeof file173},
  {"providers/tsp.yaml", file174, sizeof file174},
  {"providers/twelvedata.yaml", file175, sizeof file175},
  {"providers/twse.yaml", file176, sizeof file176},
  {"providers/upbit.yaml", file177, sizeof file177},
  {"providers/whitebit.yaml", file178, sizeof file178},
  {"providers/yahoo.yaml", file179, sizeof file179},
  {"docs/schemas/provider.json", file180, sizeof file180},
};

const bitpal_shipped_file *bitpal_shipped_files(void) { return files; }

size_t bitpal_shipped_count(void) { return 181; }
